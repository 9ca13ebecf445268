// Draws the picture of this page, as large as the window lets it be.
const { figure, width, height, scale } = JSON.parse(document.getElementById("figure").textContent);
const [picture, place] = ["picture", "place"].map((id) => document.getElementById(id));

function fit() {
  const shown = Math.min(scale, place.clientWidth / width);
  picture.style.transform = `scale(${shown})`;
  picture.style.marginLeft = `${(place.clientWidth - width * shown) / 2}px`;
  place.style.height = `${height * shown}px`;
}

// Plotly measures letters, so the typeface has to be there before.
Promise.all(["400", "600", "700"].map((weight) => document.fonts.load(`${weight} 16px "Source Sans"`)))
  .then(() => {
    const layout = { ...figure.layout, width, height, autosize: false };
    return Plotly.newPlot(picture, figure.data ?? [], layout, { displayModeBar: false });
  })
  .then(fit);
addEventListener("resize", fit);
