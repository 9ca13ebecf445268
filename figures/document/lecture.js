// Draws the pictures of a lecture, each when it comes near to the window, as large as the window lets it be.
const PLACES = [...document.querySelectorAll(".place")];
const drawn = new WeakMap();
const ON_PAPER = 695; // pixels of a line on A4 between the margins of lecture.css, which no window is asked for
let isPrinted = false;

function fit(place) {
  const { width, height, scale } = drawn.get(place);
  if (!place.clientWidth) return;
  const room = isPrinted ? Math.min(place.clientWidth, ON_PAPER) : place.clientWidth;
  const shown = Math.min(scale, room / width);
  const picture = place.querySelector(".plot");
  picture.style.transform = `scale(${shown})`;
  picture.style.marginLeft = `${(room - width * shown) / 2}px`;
  place.style.height = `${height * shown}px`;
}

async function draw(place) {
  const said = JSON.parse(place.querySelector("script").textContent);
  drawn.set(place, said);
  fit(place);
  const layout = { ...said.figure.layout, width: said.width, height: said.height, autosize: false };
  await Plotly.newPlot(place.querySelector(".plot"), said.figure.data ?? [], layout, { displayModeBar: false });
}

// Plotly measures letters, so the typeface has to be there before.
Promise.all(["400", "600", "700"].map((weight) => document.fonts.load(`${weight} 16px "Source Sans"`))).then(() => {
  const near = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target);
    }
  }, { rootMargin: "100%" });
  for (const place of PLACES) near.observe(place);
});
const fitAll = () => PLACES.filter((place) => drawn.has(place)).forEach(fit);
addEventListener("beforeprint", () => {
  isPrinted = true;
  fitAll();
  PLACES.filter((place) => !drawn.has(place)).forEach(draw);
});
addEventListener("afterprint", () => {
  isPrinted = false;
  fitAll();
});
addEventListener("resize", fitAll);
