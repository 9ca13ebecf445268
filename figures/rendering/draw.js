// What the page that draws can do: one figure at a time, as the text of an SVG.
const stage = document.getElementById("stage");

// Plotly draws what is asked of it, and gives it as it would let a visitor save it; cells become shapes.
async function plot({ figure, width, height }) {
  const layout = { ...figure.layout, width, height, autosize: false };
  await Plotly.newPlot(stage, figure.data ?? [], layout, { staticPlot: true });
  try {
    for (const group of stage.querySelectorAll("g.hm")) asShapes(group, stage._fullLayout);
    const svg = Plotly.Snapshot.toSVG(stage, "svg", 1);
    return withShapes(svg);
  } finally {
    Plotly.purge(stage);
  }
}
