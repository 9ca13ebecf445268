// The stops of the path that a learner has done: kept in this browser alone, and carried to another by a link. A stop is
// done once the questions of all its views are answered.
const KEPT = "attention-lab-stops";
const ANSWERED = "attention-lab-answered"; // the views of stops that are answered
const ASKED = `a[href^="${window.attentionLabAddress("/?done=")}"]`;
const mark = document.createElement("style");

function kept(name) {
  try {
    return [...JSON.parse(localStorage.getItem(name) ?? "[]")];
  } catch {
    return []; // the store is blocked, or the value is not JSON
  }
}

function keep(name, all) {
  try {
    localStorage.setItem(name, JSON.stringify(all));
  } catch {
    // they last as long as the page
  }
}

const done = () => kept(KEPT).filter(Number.isInteger);

function add(stops) {
  const all = [...new Set([...done(), ...stops])].sort((one, other) => one - other);
  keep(KEPT, all);
  show(all);
}

// A CSS rule for each done stop, so that redrawn lists are marked, too.
function show(stops) {
  const listed = stops.map((stop) => `.tiles.stops li:nth-child(${stop}) strong::after`);
  mark.textContent = listed.length ? `${listed.join(", ")} { content: " ✓" / " done"; }` : "";
}

const readStops = (text) => (text ?? "").split(".").map(Number).filter((stop) => Number.isInteger(stop) && stop > 0 && stop < 100);

function follow(event) {
  const link = event.target.closest?.("a[href]");
  if (!link?.matches(ASKED)) return;
  event.preventDefault(); // the home is reloaded, so that it reads the kept stops
  window.attentionLabEntries.leave(window.attentionLabAddress(`/?done=${done().join(".")}`));
}

// The questions of one view are answered.
function answered({ detail: { number, box, boxes } }) {
  const views = [...new Set([...kept(ANSWERED), box])];
  keep(ANSWERED, views);
  if (boxes.every((one) => views.includes(one))) add([number]);
}

export default function () {
  document.head.append(mark);
  add(readStops(new URLSearchParams(location.search).get("done")));
  document.addEventListener("click", follow, { capture: true });
  document.addEventListener("answered", answered);
  return () => {
    mark.remove();
    document.removeEventListener("click", follow, { capture: true });
    document.removeEventListener("answered", answered);
  };
}
