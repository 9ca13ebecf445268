// The exam in the store of this browser: the order of its questions, the answers, and the score.
const KEPT_EXAM = "attention-lab-exam";
const UNKNOWN = "x"; // the answer of a reader who does not know

// The kept exam, if it has these questions; otherwise a new exam with its questions in a new order.
function readExam({ number, questions }) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_EXAM));
    if (kept.number === number && isExam(kept, questions)) return kept;
  } catch {
    // the store is blocked, or the value is not JSON
  }
  return { number, order: mixed(questions.length), at: 0, answers: questions.map(() => null), isOver: false };
}

function keepExam(exam, questions) {
  const right = questions.filter((question, at) => isRight(question, exam.answers[at])).length;
  const result = exam.isOver ? { right, of: questions.length } : {};
  try {
    localStorage.setItem(KEPT_EXAM, JSON.stringify({ ...exam, right: undefined, of: undefined, ...result }));
  } catch {
    // it lasts as long as the page
  }
  document.dispatchEvent(new CustomEvent("examined"));
}

function forgetExam() {
  try {
    localStorage.removeItem(KEPT_EXAM);
  } catch {
    // the store is blocked, so there is nothing to forget
  }
  document.dispatchEvent(new CustomEvent("examined"));
}

function isExam({ order, at, answers, isOver }, questions) {
  const n = questions.length;
  const isOrder = [...order].sort((one, other) => one - other).every((one, rank) => one === rank) && order.length === n;
  const fits = answers.length === n && answers.every((one, which) => one === null || isAnswer(questions[which], one));
  return isOrder && fits && Number.isInteger(at) && at >= 0 && at <= n && (!isOver || !answers.includes(null));
}

function isAnswer({ kind, options, items, labels, bounds }, answer) {
  if (answer === UNKNOWN) return true;
  const isList = (n, largest) => Array.isArray(answer) && answer.length === n && answer.every((one) => Number.isInteger(one) && one >= 0 && one <= largest);
  switch (kind) {
    case "choose": return Number.isInteger(answer) && answer >= 0 && answer < options.length;
    case "arrange": return isList(items.length, items.length - 1) && new Set(answer).size === items.length;
    case "sketch": return isList(labels.length, 100) && answer.some((one) => one > 0);
    default: return Number.isFinite(answer) && answer >= bounds[0] && answer <= bounds[1];
  }
}

function mixed(n) {
  const order = [...Array(n).keys()];
  for (let last = n - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

// An answer in the store and in links: shares in whole per cent, numbers with four decimals.
function toKeep({ kind }, answer) {
  if (kind === "sketch") return answer.map((share) => Math.round(100 * share));
  return kind === "estimate" ? Number(answer.toFixed(4)) : answer;
}

// An answer as the fields of questions use it.
function fromKept({ kind }, kept) {
  if (kind !== "sketch") return kept;
  const sum = kept.reduce((one, other) => one + other, 0);
  return kept.map((share) => share / sum);
}

// The answers in a link, see answers.py.
function spellAnswers(number, answers) {
  return [number, ...answers.map((answer) => (Array.isArray(answer) ? answer.join("-") : answer))].join("_");
}
