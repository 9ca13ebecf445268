// The lecture that is being collected: kept in this browser alone, as plain data such as a deck is read from.
const KEPT_LECTURE = "attention-lab-lecture";
const CHANGED = "lecture-changed"; // told to what shows it in this tab; other tabs hear "storage"
let lectureHere = null; // of a browser that keeps nothing

function readLecture() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_LECTURE) ?? "null") ?? lectureHere;
    const { title, step } = asLecture(kept);
    return { title, step };
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

// What is in the browser's store may have been put there by anything: only what a deck has is taken, as it has it.
function asLecture(kept) {
  const steps = Array.isArray(kept?.step) ? kept.step : [];
  return { title: asText(kept?.title), step: steps.filter((one) => typeof one?.link === "string").map(asStep) };
}

function asStep({ link, title, notes, question, covered }) {
  return { link, title: asText(title), notes: asText(notes), question: asText(question), covered: covered === true };
}

const asText = (value) => (typeof value === "string" ? value : "");
