// Shapes and lines of text, each with its attributes and its place; text is set as text, never as markup.
const LOWERED = { "ⱼ": "j", "ᵢ": "i" }; // letters below the line, which few typefaces have
const DEEP = 0.18, SMALL = 0.72; // em

function element(name, attributes, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}

function pieces(text, size) {
  let shift = 0;
  return text.split(/([ⱼᵢ])/).filter(Boolean).map((piece) => {
    const low = LOWERED[piece], to = low ? DEEP * size : 0;
    const move = to === shift ? {} : { dy: to - shift };
    shift = to;
    return element("tspan", low ? { ...move, "font-size": SMALL * size } : move, low ?? piece);
  });
}

export default function ({ data, parentElement }) {
  const svg = element("svg", { viewBox: `0 0 ${data.width} ${data.height}` });
  for (const [name, attributes, text] of data.nodes) {
    const isMixed = /[ⱼᵢ]/.test(text);
    const node = element(name, attributes, isMixed ? "" : text);
    if (isMixed) node.append(...pieces(text, attributes["font-size"]));
    svg.append(node);
  }
  parentElement.append(svg);
}
