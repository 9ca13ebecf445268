// Warns if a hall would see less of an added step than its author expects.
const MOST_WORDS_NAMED = 4;

// The words that the model of the page does not know, as the page names them above its picture.
function unknownWords() {
  const note = document.querySelector(".st-key-examples_known");
  if (!note) return [];
  return [...note.querySelectorAll("strong")].map((one) => one.textContent.trim()).filter(Boolean);
}

const numbersIn = (value) => (Array.isArray(value) || ArrayBuffer.isView(value) ? [...value].flatMap(numbersIn) : [value]);

// Whether a figure draws nothing, or only zeros.
function isEmptyFigure(plot) {
  const traces = plot.data ?? [];
  const drawn = [...(plot.layout?.shapes ?? []), ...(plot.layout?.annotations ?? [])];
  const values = traces.flatMap((one) => (one.type === "heatmap" ? numbersIn(one.z) : [...numbersIn(one.x ?? []), ...numbersIn(one.y ?? [])]));
  const grids = traces.filter((one) => one.type === "heatmap");
  if (grids.length) return grids.every((one) => numbersIn(one.z).every((number) => !number));
  return !values.some((one) => one !== null && one !== undefined) && !drawn.length;
}

// The text of an element, including the components in it.
function deepText(node) {
  if (node.nodeType === Node.TEXT_NODE) return ` ${node.data}`;
  return [...(node.shadowRoot ?? node).childNodes].filter(({ nodeName }) => nodeName !== "STYLE").map(deepText).join("");
}

// Whether all numbers that a stage writes into its cells are 0.
function isZero(text) {
  const numbers = text.match(/\d+\.\d+/gu) ?? [];
  return numbers.length > 0 && numbers.every((one) => Number(one) === 0);
}

function hasEmptyPicture() {
  const main = document.querySelector("[data-testid=stMain]");
  const strip = main?.querySelector("[class*=st-key-strip]");
  if (strip) return isZero(deepText(strip));
  const plots = [...(main?.querySelectorAll(".js-plotly-plot") ?? [])];
  if (plots.length) return plots.every(isEmptyFigure);
  return !main?.querySelector('[class*="_drawn"], [class*="_scrolled"], table, .katex, [data-testid=stDataFrame]');
}

function warningsHere() {
  const unknown = unknownWords();
  const named = unknown.slice(0, MOST_WORDS_NAMED).join(", ") + (unknown.length > MOST_WORDS_NAMED ? ", …" : "");
  return [
    unknown.length && `The model does not know ${named}.`,
    hasEmptyPicture() && "Its picture is empty.",
  ].filter(Boolean);
}
