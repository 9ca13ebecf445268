// Which stops of the path a learner has done: kept in this browser alone, and taken along as a link. A stop is done once
// its questions are answered.
const KEPT = "attention-lab-stops";
const ASKED = `a[href^="${window.attentionLabAddress("/?done=")}"]`;
const mark = document.createElement("style");

function done() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEPT) ?? "[]").filter(Number.isInteger));
  } catch {
    return new Set(); // a browser that keeps nothing, or something else under this name
  }
}

function add(stops) {
  const all = [...new Set([...done(), ...stops])].sort((one, other) => one - other);
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    // then they are forgotten with the page
  }
  show(all);
}

// A rule for every stop, wherever it is listed: what the page sends anew needs no mark of its own.
function show(stops) {
  const listed = stops.map((stop) => `.tiles.stops li:nth-child(${stop}) strong::after`);
  mark.textContent = listed.length ? `${listed.join(", ")} { content: " ✓" / " done"; }` : "";
}

const here = () => Number(document.querySelector(".path[data-stop]")?.dataset.stop ?? 0);
const readStops = (text) => (text ?? "").split(".").map(Number).filter((stop) => Number.isInteger(stop) && stop > 0 && stop < 100);

function follow(event) {
  const link = event.target.closest?.("a[href]");
  if (!link?.matches(ASKED)) return;
  event.preventDefault(); // or another tab would open, as for all links of Streamlit's
  location.assign(window.attentionLabAddress(`/?done=${[...done()].join(".")}`));
}

const predicted = () => here() && add([here()]);

export default function () {
  document.head.append(mark);
  add(readStops(new URLSearchParams(location.search).get("done")));
  document.addEventListener("click", follow, { capture: true });
  document.addEventListener("predicted", predicted);
  return () => {
    mark.remove();
    document.removeEventListener("click", follow, { capture: true });
    document.removeEventListener("predicted", predicted);
  };
}
