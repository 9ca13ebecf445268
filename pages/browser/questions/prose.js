// Sentences of a question: Markdown with emphasis only. A backslash escapes the next character, as in typed text.
// Everything is set as text, never as markup.
function prose(tag, markdown, kind = "") {
  const node = make(tag, kind);
  let into = node;
  for (const [, escaped, star, text] of markdown.matchAll(/\\(.)|(\*+)|([^\\*]+|\\$)/gsu)) {
    if (star) {
      if (into === node) node.append((into = make(star.length > 1 ? "strong" : "em")));
      else into = node;
    } else {
      into.append(escaped ?? text);
    }
  }
  return node;
}

function make(tag, kind = "", text = "") {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  if (text) node.textContent = text;
  return node;
}

function button(text, onclick, kind = "") {
  const node = make("button", kind, text);
  Object.assign(node, { type: "button", onclick });
  return node;
}

// The subject of a question: the sentences of its view and, if it is asked again, the switches that have changed. After a
// change the view may ask another question.
function situation({ sentences = [] }, again = null, isSame = true) {
  const about = sentences.map((one) => make("p", "sentence", one));
  const changed = again && `${isSame ? "Same question, now" : "Now"} with ${again}`;
  const said = again === null ? "" : changed || (isSame ? "Same question again" : "");
  return said ? [make("p", "round_told", said), ...about] : about;
}

const plain = (markdown) => prose("span", markdown).textContent;
const perCent = (share, decimals = 0) => `${(100 * share).toFixed(decimals)} %`;
const given = (value, { unit }) => `${value}${unit && ` ${unit}`}`; // the number as it was typed
const quantity = (value, { decimals, unit }) => `${value.toFixed(decimals)}${unit && ` ${unit}`}`;
