// The visitor's own lecture: kept in this browser alone, as the plain data of a deck.
const KEPT_LECTURE = "attention-lab-lecture";
const CHANGED = "lecture-changed"; // for listeners in this tab; other tabs hear "storage"
let lectureHere = null; // used if the browser stores nothing

function readLecture() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_LECTURE) ?? "null") ?? lectureHere;
    return asLecture(kept);
  } catch {
    return asLecture(lectureHere); // the store is blocked, or the value is not JSON
  }
}

function keepLecture(lecture) {
  lectureHere = lecture;
  try {
    localStorage.setItem(KEPT_LECTURE, JSON.stringify(lecture));
  } catch {
    // it lasts as long as the page
  }
  document.dispatchEvent(new CustomEvent(CHANGED));
}

const TEXTS = ["link", "kind", "title", "sentence", "text", "formula", "picture", "notes", "question", "answer_kind", "right"];

// Any script may have written to the browser's store, so only the fields of a deck are taken, with their types.
function asLecture(kept) {
  const steps = Array.isArray(kept?.step) ? kept.step : [];
  return { title: asText(kept?.title), about: asText(kept?.about), step: steps.filter((one) => asText(one?.link) || asText(one?.kind)).map(asStep) };
}

function asStep(step) {
  const options = Array.isArray(step.options) ? step.options.filter((one) => typeof one === "string") : [];
  return { ...Object.fromEntries(TEXTS.map((name) => [name, asText(step[name])])), options, covered: step.covered === true };
}

const asText = (value) => (typeof value === "string" ? value : "");
