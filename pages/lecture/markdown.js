// Notes and sentences of a lecture: emphasis, code, lists and paragraphs of Markdown. All is set as text, never as markup.
const INLINE = /\\([\\*_`$])|\*\*(.+?)\*\*|\*([^\s*](?:.*?[^\s*])?)\*|`([^`]+)`|\[([^\]]+)\]\([^)\s]*\)/su;

function inline(text) {
  const found = INLINE.exec(text);
  if (!found) return text ? [text] : [];
  const [all, escaped, strong, em, code, link] = found;
  const around = (tag, nodes) => {
    const node = made(tag);
    node.append(...nodes);
    return node;
  };
  const node = escaped ?? (strong ? around("strong", inline(strong)) : em ? around("em", inline(em)) : code ? made("code", "", code) : link);
  return [...inline(text.slice(0, found.index)), node, ...inline(text.slice(found.index + all.length))];
}

// A line that begins with a dash or a number is an item; an empty line ends a paragraph.
function blocks(text) {
  const nodes = [];
  let list = null;
  let paragraph = null;
  for (const line of text.split("\n")) {
    const item = /^\s*(?:([-*•])|\d+[.)])\s+(.*)$/u.exec(line);
    const heading = /^#{1,4}\s+(.*)$/u.exec(line);
    if (!line.trim() || heading) [list, paragraph] = [null, null];
    if (!line.trim()) continue;
    if (heading) {
      nodes.push(made("h3"));
      nodes.at(-1).append(...inline(heading[1]));
    } else if (item) {
      const tag = item[1] ? "UL" : "OL";
      if (list?.tagName !== tag) nodes.push((list = made(tag.toLowerCase())));
      list.append(made("li"));
      list.lastChild.append(...inline(item[2]));
      paragraph = null;
    } else if (list && /^\s+/u.test(line)) {
      list.lastChild.append(" ", ...inline(line.trim()));
    } else {
      list = null;
      if (paragraph) paragraph.append(made("br"));
      else nodes.push((paragraph = made("p")));
      paragraph.append(...inline(line.trim()));
    }
  }
  return nodes;
}
