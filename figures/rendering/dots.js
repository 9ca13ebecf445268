// The layer below cells comes as an SVG inside an image, which few programs show: it becomes shapes of the figure.
// Dots of a pattern become lines of round dashes, because a pattern is a bitmap on paper.
function shape(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

const said = (node, ...names) => names.map((name) => Number(node.getAttribute(name) ?? 0));

function withShapes(svg) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml");
  for (const image of root.querySelectorAll("image")) {
    const [head, drawing] = (image.getAttribute("href") ?? image.getAttribute("xlink:href") ?? "").split(/,(.*)/s);
    if (head === "data:image/svg+xml") image.replaceWith(shapesOf(image, decodeURIComponent(drawing)));
  }
  return new XMLSerializer().serializeToString(root);
}

// Rectangles are all that these drawings have, some of them by reference: [rectangle, x, y of its origin].
function rectangles(drawing) {
  return [...drawing.documentElement.children].filter(({ tagName }) => tagName !== "defs").flatMap((one) => {
    if (one.tagName !== "use") return [[one, 0, 0]];
    return [...drawing.getElementById(one.getAttribute("href").slice(1)).children].map((part) => [part, ...said(one, "x", "y")]);
  });
}

function shapesOf(image, text) {
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml");
  const [left, top, width, height] = said(image, "x", "y", "width", "height");
  const [, , inner, high] = drawing.documentElement.getAttribute("viewBox").split(" ").map(Number);
  const by = { left, top, wider: width / inner, higher: height / high };
  const group = shape("g", { class: "beneath" });
  const lines = [];
  for (const [one, x, y] of rectangles(drawing)) {
    if (one.getAttribute("fill")?.startsWith("url(")) lines.push(...dotted(one, x, y, drawing, by));
    else group.append(moved(one, x, y, by));
  }
  if (lines.length) group.prepend(dashes(lines, drawing, by));
  return group;
}

function moved(one, x, y, { left, top, wider, higher }) {
  const [ownX, ownY, width, height] = said(one, "x", "y", "width", "height");
  const place = { x: left + (x + ownX) * wider, y: top + (y + ownY) * higher, width: width * wider, height: height * higher };
  const look = Object.fromEntries(["fill", "stroke"].filter((name) => one.hasAttribute(name)).map((name) => [name, one.getAttribute(name)]));
  return shape("rect", { ...place, ...look });
}

// A line for each row of dots that a rectangle shows; dots are counted from the origin.
function dotted(one, x, y, drawing, { left, top, wider, higher }) {
  const [side] = said(drawing.querySelector("pattern"), "width");
  const [ownX, ownY, width, height] = said(one, "x", "y", "width", "height");
  const rows = Array.from({ length: Math.round(height / side) }, (_, row) => ownY + (row + 0.5) * side);
  const round = (number) => Math.round(number * 100) / 100;
  const from = round(left + (x + ownX + side / 2) * wider), until = round(left + (x + ownX + width) * wider);
  return rows.filter((at) => at < ownY + height).map((at) => `M${from} ${round(top + (y + at) * higher)}H${until}`);
}

function dashes(lines, drawing, { wider }) {
  const pattern = drawing.querySelector("pattern"), dot = pattern.firstElementChild;
  const radius = dot.hasAttribute("r") ? said(dot, "r")[0] : said(dot, "rx")[0] * wider;
  const [side] = said(pattern, "width");
  return shape("path", {
    d: lines.join(""), fill: "none", stroke: dot.getAttribute("fill"), "stroke-width": 2 * radius,
    "stroke-linecap": "round", "stroke-dasharray": `0.01 ${side * wider - 0.01}`,
  });
}
