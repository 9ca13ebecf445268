// Functions of the page that draws: each returns one figure as the text of an SVG.
const stage = document.getElementById("stage");

// Plotly draws the figure, and returns it as it does to a visitor who saves one; cells become shapes.
async function plot({ figure, width, height, paper }) {
  const layout = { ...figure.layout, width, height, autosize: false };
  await Plotly.newPlot(stage, figure.data ?? [], layout, { staticPlot: true });
  try {
    for (const group of stage.querySelectorAll("g.hm")) asShapes(group, stage._fullLayout, paper);
    const svg = Plotly.Snapshot.toSVG(stage, "svg", 1);
    return withShapes(svg);
  } finally {
    Plotly.purge(stage);
  }
}

// The characters that no font of this machine has: they look like one that Unicode has not assigned.
const UNASSIGNED = "\u0378";

function undrawn({ characters, font }) {
  const pen = Object.assign(document.createElement("canvas"), { width: 96, height: 64 }).getContext("2d", { willReadFrequently: true });
  pen.font = `32px ${font}`;
  const looks = (character) => {
    pen.clearRect(0, 0, 96, 64);
    pen.fillText(character, 24, 44);
    return pen.getImageData(0, 0, 96, 64).data.join();
  };
  const box = looks(UNASSIGNED);
  return characters.filter((character) => looks(character) === box);
}
