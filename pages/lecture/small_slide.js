// A small picture of an own slide: its Markdown as the hall sees it, and its formulas as MathML from KaTeX. Loaded after
// markdown.js and steps.js.
const made = make;
const IN_DOLLARS = /(\\.|`[^`\n]*`)|\$\$([^$]+)\$\$|\$(?=\S)((?:\\.|[^$\\\n])+?)(?<=\S)\$/gsu;
const PLACE = /\u0004(\d+)\u0004/u;
let katex = null; // a promise of the module, after the first formula

// A formula; until KaTeX is loaded, its LaTeX.
function mathNode(latex, isApart, address) {
  const node = make("span", isApart ? "math apart" : "math", latex);
  if (!address) return node;
  katex ??= import(new URL(window.attentionLabAddress(address), location.origin).href);
  katex.then((loaded) => {
    node.replaceChildren();
    loaded.default.render(latex, node, { displayMode: isApart, output: "mathml", throwOnError: false });
  }).catch(() => { node.textContent = latex; });
  return node;
}

// The text of a slide as elements.
function slideText(text, address) {
  const formulas = [];
  const marked = text.replaceAll(new RegExp(PLACE, "gu"), "").replace(IN_DOLLARS, (all, other, display, line) => {
    if (other) return all;
    formulas.push(mathNode((display ?? line).trim(), Boolean(display), address));
    const place = `\u0004${formulas.length - 1}\u0004`;
    return display ? `\n\n${place}\n\n` : place;
  });
  const nodes = blocks(marked);
  for (const node of nodes) put(node, formulas);
  return nodes;
}

// Draws the formulas in the text below a node.
function put(node, formulas) {
  for (const child of [...node.childNodes]) {
    const pieces = child.nodeType === Node.TEXT_NODE ? child.data.split(PLACE) : [];
    if (pieces.length > 1) child.replaceWith(...pieces.map((piece, at) => (at % 2 ? formulas[Number(piece)] : piece)));
    else put(child, formulas);
  }
}

function slidePreview(step, address) {
  const node = make("div", "preview");
  const draw = (given) => {
    node.replaceChildren(make("strong", "", given.title));
    if (given.picture?.startsWith("data:image/")) node.append(make("img", "", "", { src: given.picture, alt: "" }));
    else if (given.formula) node.append(mathNode(given.formula, true, address));
    else node.append(...slideText(given.text, address));
  };
  draw(step);
  node.renew = draw;
  return node;
}
