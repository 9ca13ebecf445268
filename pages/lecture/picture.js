// The picture of a page as the presenter's window shows it: its figures where they stand on the page, and the answer above
// them. Only a window that has asked is sent any, when it is another than before.
const MOST_CHARACTERS = 4e6;

function placed(plot) {
  const { left, top } = plot.getBoundingClientRect();
  const layers = [...plot.querySelectorAll("svg.main-svg")];
  if (!layers.length) return null;
  const [width, height] = ["width", "height"].map((side) => layers[0][side].baseVal.value);
  return { left, top, right: left + width, bottom: top + height, width, height, layers };
}

// One below the other where the page has not laid them out, as under a cover.
function spread(figures) {
  if (new Set(figures.map(({ left, top }) => `${left} ${top}`)).size === figures.length) return figures;
  let bottom = 0;
  return figures.map((one) => {
    const top = bottom;
    bottom += one.height;
    return { ...one, left: 0, top, right: one.width, bottom };
  });
}

function figureOf(page) {
  const found = [...page.querySelectorAll("[data-testid=stMain] .js-plotly-plot")].map(placed).filter(Boolean);
  if (!found.length) return "";
  const figures = spread(found);
  const edge = (side, best) => best(...figures.map((one) => one[side]));
  const [left, top] = [edge("left", Math.min), edge("top", Math.min)];
  const [width, height] = [edge("right", Math.max) - left, edge("bottom", Math.max) - top];
  const drawn = figures.map((one) => `<g transform="translate(${one.left - left} ${one.top - top})">${
    one.layers.map((layer) => new XMLSerializer().serializeToString(layer)).join("")}</g>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${drawn}</svg>`;
  return svg.length < MOST_CHARACTERS ? svg : "";
}

function answerOf(page) {
  const whole = (strong) => strong.parentElement.textContent.trim() === strong.textContent.trim();
  return [...page.querySelectorAll("[data-testid=stMain] .stMarkdown p > strong")].find(whole)?.textContent ?? "";
}

function pictureIn({ isReady, element }) {
  const page = isReady && element.contentDocument;
  return page ? { svg: figureOf(page), answer: answerOf(page) } : null;
}
