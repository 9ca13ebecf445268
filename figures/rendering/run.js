// A drawing of our own: its script draws into a page like that of the app. The SVG is taken as it is seen, without
// motion and without anything for a pointer.
const modules = new Map();
const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "paint-order",
  "font-size", "font-weight", "font-style", "font-variant-numeric", "text-anchor",
];
const OF_THE_PAGE = /^(class|style|tabindex|role|aria-.*|on.*|data-.*|dominant-baseline)$/;
// Nothing moves, and a chosen word has no plate behind it.
const STILL = "* { transition: none !important; animation: none !important } .chosen rect { fill: none !important }";

async function run({ script, style, data, paper }) {
  const host = document.createElement("div");
  stage.append(host);
  try {
    const root = host.attachShadow({ mode: "open" });
    root.append(Object.assign(document.createElement("style"), { textContent: `${style}${STILL}` }));
    const draw = (await moduleOf(script)).default;
    await draw({ data, parentElement: root, setTriggerValue: () => undefined, setStateValue: () => undefined });
    await document.fonts.ready;
    return asSeen(root.querySelector("svg"), paper);
  } finally {
    host.remove();
  }
}

function moduleOf(script) {
  if (!modules.has(script)) modules.set(script, import(URL.createObjectURL(new Blob([script], { type: "text/javascript" }))));
  return modules.get(script);
}

// On a sheet without paper, cells let what is below show through. A cell is a rectangle whose title says its number.
function asSeen(svg, paper) {
  if (paper) for (const cell of svg.querySelectorAll("rect:has(> title)")) clear(cell, paper);
  const viewBox = svg.getAttribute("viewBox") ?? `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`;
  const [, , width, height] = viewBox.split(" ");
  svg.setAttribute("style", `width:${width}px;height:${height}px`); // a pixel of the drawing is one here
  const seen = taken(svg, null);
  for (const [name, value] of Object.entries({ width, height, viewBox })) seen.setAttribute(name, value);
  return new XMLSerializer().serializeToString(seen);
}

function clear(cell, paper) {
  const [red, green, blue, opacity] = seeThrough(written(getComputedStyle(cell).fill), paper);
  Object.assign(cell.style, { fill: hex([red, green, blue]), fillOpacity: Math.round(1000 * opacity) / 1000 });
}

// An element as it is seen, with the look that differs from its parent; null if nothing is seen of it.
function taken(node, parent) {
  const look = getComputedStyle(node);
  if (isUnseen(node, look)) return null;
  const copy = node.cloneNode(false);
  for (const { name } of [...copy.attributes]) if (OF_THE_PAGE.test(name)) copy.removeAttribute(name);
  for (const name of KEPT) {
    copy.removeAttribute(name);
    if (!parent || look[name] !== parent[name]) copy.setAttribute(name, written(look[name]));
  }
  if (look.opacity !== "1") copy.setAttribute("opacity", look.opacity);
  if (look.transform !== "none") copy.setAttribute("transform", look.transform);
  if (node.tagName === "text") copy.setAttribute("y", onBaseline(node));
  for (const child of node.childNodes) {
    const inner = child.nodeType === Node.TEXT_NODE ? child.cloneNode() : child.nodeType === Node.ELEMENT_NODE && taken(child, look);
    if (inner) copy.append(inner);
  }
  return copy;
}

function isUnseen(node, look) {
  if (["title", "desc", "style", "script"].includes(node.tagName)) return true;
  if (look.display === "none" || look.visibility !== "visible" || look.opacity === "0") return true;
  if (node.tagName === "text") return !node.textContent.trim();
  const isClear = (colour) => colour === "none" || colour === "rgba(0, 0, 0, 0)";
  return node.tagName === "rect" && isClear(look.fill) && isClear(look.stroke);
}

// The y of a text on its own baseline: a program that shows the file may know no other.
function onBaseline(text) {
  const before = text.getBBox().y;
  text.style.dominantBaseline = "alphabetic";
  const shift = before - text.getBBox().y;
  text.style.dominantBaseline = "";
  return Math.round((Number(text.getAttribute("y") ?? 0) + shift) * 100) / 100;
}

function written(value) {
  const rgb = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(value);
  return rgb ? `#${rgb.slice(1).map((one) => Number(one).toString(16).padStart(2, "0")).join("")}` : value;
}
