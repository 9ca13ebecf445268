// The picture of a page as the presenter's window shows it: the largest figure, and the answer above it. Only a window
// that has asked is sent any, when it is another than before.
const MOST_CHARACTERS = 4e6;

function figureOf(page) {
  const area = (svg) => svg.width.baseVal.value * svg.height.baseVal.value;
  const plots = [...page.querySelectorAll(".js-plotly-plot")]
    .map((plot) => [...plot.querySelectorAll("svg.main-svg")]).filter((layers) => layers.length);
  const layers = plots.sort(([one], [other]) => area(other) - area(one))[0];
  if (!layers) return "";
  const [width, height] = ["width", "height"].map((side) => layers[0][side].baseVal.value);
  const drawn = layers.map((layer) => new XMLSerializer().serializeToString(layer)).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${drawn}</svg>`;
  return svg.length < MOST_CHARACTERS ? svg : "";
}

function answerOf(page) {
  const whole = (strong) => strong.parentElement.matches("p") && strong.parentElement.textContent.trim() === strong.textContent.trim();
  return [...page.querySelectorAll("[data-testid=stMain] .stMarkdown p > strong")].find(whole)?.textContent ?? "";
}

function pictureIn({ isReady, element }) {
  const page = isReady && element.contentDocument;
  return page ? { svg: figureOf(page), answer: answerOf(page) } : null;
}
