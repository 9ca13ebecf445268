// The picture of a page as the presenter's window shows it: its figures where they stand on the page, and the answer above
// them. Only a window that has asked is sent any, when it is another than before.
const MOST_CHARACTERS = 4e6;

function placed(plot) {
  const layers = [...plot.querySelectorAll("svg.main-svg")];
  if (!layers.length) return null;
  const { left, top, width } = layers[0].getBoundingClientRect();
  const own = layers[0].width.baseVal.value;
  const scale = width / own || 1; // in a lecture figures are magnified; under a cover they have no width yet
  const height = scale * layers[0].height.baseVal.value;
  return { left, top, right: left + scale * own, bottom: top + height, height, scale, layers };
}

// One below the other where the page has not laid them out, as under a cover.
function spread(figures) {
  if (new Set(figures.map(({ left, top }) => `${left} ${top}`)).size === figures.length) return figures;
  let bottom = 0;
  return figures.map((one) => {
    const top = bottom;
    bottom += one.height;
    return { ...one, left: 0, top, right: one.right - one.left, bottom };
  });
}

function figureOf(page) {
  const found = [...page.querySelectorAll("[data-testid=stMain] .js-plotly-plot")].map(placed).filter(Boolean);
  if (!found.length) return "";
  const figures = spread(found);
  const edge = (side, best) => best(...figures.map((one) => one[side]));
  const [left, top] = [edge("left", Math.min), edge("top", Math.min)];
  const [width, height] = [edge("right", Math.max) - left, edge("bottom", Math.max) - top];
  const drawn = figures.map((one) => `<g transform="translate(${one.left - left} ${one.top - top}) scale(${one.scale})">${
    one.layers.map((layer) => new XMLSerializer().serializeToString(layer)).join("")}</g>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${drawn}</svg>`;
  return svg.length < MOST_CHARACTERS ? svg : "";
}

function answerOf(page) {
  const whole = (strong) => strong.parentElement.textContent.trim() === strong.textContent.trim();
  const inHall = page.querySelector(".st-key-lecture_answer p");
  if (inHall) return inHall.textContent;
  return [...page.querySelectorAll("[data-testid=stMain] .stMarkdown p > strong")].find(whole)?.textContent ?? "";
}

function pictureIn({ isReady, element }) {
  const page = isReady && element.contentDocument;
  return page ? { svg: figureOf(page), answer: answerOf(page) } : null;
}
