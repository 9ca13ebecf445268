// The blocks of a matrix, one group for each head. A new form moves the groups, and nothing is drawn again:
// the numbers stay what they are. Words are set as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function cells(data, head) {
  return data.colours[head].flatMap((row, word) => row.map((fill, at) => {
    const place = { x: at * data.cell, y: word * data.row, width: data.cell - 0.5, height: data.row - 1 };
    const one = element("rect", { ...place, fill });
    one.append(element("title", {}, `head ${head + 1}, ${data.words[word]}, number ${at + 1}: ${data.digits[head][word][at]}`));
    return one;
  }));
}

function words(data) {
  const group = element("g", { class: "words" });
  for (const [word, shown] of data.labels.entries()) {
    const place = { x: -6, y: (word + 0.5) * data.row, "text-anchor": "end", "dominant-baseline": "central" };
    group.append(element("text", { ...place, fill: data.ink, "font-size": 14 }, shown));
  }
  return group;
}

function block(data, head) {
  const group = element("g", { class: "block" });
  const width = data.cell * data.colours[head][0].length, height = data.row * data.words.length;
  group.append(
    element("text", { x: 0, y: -8, fill: data.frame, "font-size": 14, "font-weight": 600 }, `head ${head + 1}`),
    ...cells(data, head),
    element("rect", { x: -0.5, y: -0.5, width, height, fill: "none", stroke: data.frame, "stroke-width": 1.5 }),
    words(data),
  );
  return group;
}

function draw(data) {
  const svg = element("svg", { role: "img", style: `max-width:${data.width}px` });
  svg.append(...data.colours.map((_, head) => block(data, head)));
  return svg;
}

function move(svg, data) {
  svg.setAttribute("aria-label", data.alt);
  svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
  for (const [head, group] of svg.querySelectorAll(".block").entries()) {
    const [x, y] = data.places[head];
    group.style.transform = `translate(${x}px, ${y}px)`;
    group.querySelector(".words").style.opacity = head === 0 || data.apart ? 1 : 0;
  }
}

export default function ({ data, parentElement }) {
  let svg = parentElement.querySelector("svg");
  const { places, alt, apart, height, ...drawn } = data;
  const content = JSON.stringify(drawn);
  if (svg?.content !== content) {
    svg?.remove();
    svg = draw(data);
    svg.content = content;
    parentElement.append(svg);
  }
  move(svg, data);
}
