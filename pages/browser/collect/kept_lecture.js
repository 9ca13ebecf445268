// The lecture that is being collected: kept in this browser alone, as plain data such as a deck is read from.
const KEPT_LECTURE = "attention-lab-lecture";
const CHANGED = "lecture-changed"; // told to what shows it in this tab; other tabs hear "storage"
let lectureHere = null; // of a browser that keeps nothing

function readLecture() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_LECTURE) ?? "null") ?? lectureHere;
    return asLecture(kept);
  } catch {
    return asLecture(lectureHere); // something else under this name, or nothing can be read
  }
}

function keepLecture(lecture) {
  lectureHere = lecture;
  try {
    localStorage.setItem(KEPT_LECTURE, JSON.stringify(lecture));
  } catch {
    // then it is forgotten with the page
  }
  document.dispatchEvent(new CustomEvent(CHANGED));
}

const TEXTS = ["link", "kind", "title", "sentence", "text", "formula", "picture", "notes", "question", "answer_kind", "right"];

// What is in the browser's store may have been put there by anything: only what a deck has is taken, as it has it.
function asLecture(kept) {
  const steps = Array.isArray(kept?.step) ? kept.step : [];
  return { title: asText(kept?.title), about: asText(kept?.about), step: steps.filter((one) => asText(one?.link) || asText(one?.kind)).map(asStep) };
}

function asStep(step) {
  const options = Array.isArray(step.options) ? step.options.filter((one) => typeof one === "string") : [];
  return { ...Object.fromEntries(TEXTS.map((name) => [name, asText(step[name])])), options, covered: step.covered === true };
}

const asText = (value) => (typeof value === "string" ? value : "");
