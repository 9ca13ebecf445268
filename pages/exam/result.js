// The result of an exam: the score, and for each question the answer, the solution and the reason.

function isRight(question, kept) {
  if (kept === null || kept === UNKNOWN) return false;
  const { kind, right } = question;
  const answer = fromKept(question, kept);
  switch (kind) {
    case "choose": return answer === right;
    case "arrange": return answer.every((at, rank) => at === right[rank]);
    case "sketch": return answer.reduce((sum, share, at) => sum + Math.abs(share - right[at]), 0) / 2 <= CLOSE;
    default: return isClose(answer, question);
  }
}

function scoreOf({ questions }, answers) {
  const right = questions.filter((question, at) => isRight(question, answers[at])).length;
  return `${right} of ${questions.length} right`;
}

// The missed questions come first, with links to the views that teach their answers. Numbers are those of the exam.
function partsOf({ questions }, answers, order) {
  const all = order.map((which, at) => {
    const [question, kept] = [questions[which], answers[which]];
    return { question, kept, number: at + 1, isMissed: !isRight(question, kept) };
  });
  const parts = [["To read again", all.filter(({ isMissed }) => isMissed)], ["Right", all.filter(({ isMissed }) => !isMissed)]];
  return parts.filter(([, found]) => found.length > 0);
}

function resultOf(data, answers, order) {
  return partsOf(data, answers, order).flatMap(([title, found]) => {
    const list = make("ul", "told");
    list.append(...found.map(told));
    return [make("h2", "", title), list];
  });
}

function told({ question, kept, number, isMissed }) {
  const node = make("li", isMissed ? "missed" : "");
  const resolved = kept === UNKNOWN ? unanswered(question) : resolution(question, fromKept(question, kept));
  node.append(prose("p", `${number}. ${question.text}`, "question"), resolved);
  if (isMissed) node.append(rereadLink(question));
  return node;
}

function rereadLink({ reread }) {
  const node = make("a", "reread", `Read again: ${reread.label}`);
  node.href = window.attentionLabAddress(reread.path);
  return node;
}

const LOOK_OF_RESULT = `
  #exam_on_paper { font-size: 8.5pt; }
  #exam_on_paper :is(p, h2) { margin: 0 0 1pt; font-size: 8.5pt; line-height: 1.28; }
  #exam_on_paper h2 { font-size: 11pt; margin: 7pt 0 3pt; break-after: avoid; }
  #exam_on_paper li { margin: 0 0 5pt; padding-left: 8pt; border-left: 1.5pt solid #888; }
  #exam_on_paper .question { font-weight: 600; }`;

function layResult(data, answers, order) {
  const parts = partsOf(data, answers, order).flatMap(([title, found]) => {
    const list = make("ul");
    list.append(...found.map(printed));
    return [make("h2", "", title), list];
  });
  const title = `Attention Lab · Exam: ${scoreOf(data, answers)}`;
  return layOnPaper("exam_on_paper", LOOK_OF_RESULT, make("h1", "", title), ...parts);
}

function printed({ question, kept, number, isMissed }) {
  const node = make("li");
  const given = kept === UNKNOWN ? "not known" : answered(question, fromKept(question, kept));
  const why = kept === UNKNOWN ? [] : FIELDS[question.kind].resolve(question, fromKept(question, kept)).slice(1).filter(Boolean);
  node.append(prose("p", `${number}. ${question.text}`, "question"), make("p", "", `Your answer: ${given}.`));
  if (isMissed) node.append(prose("p", `Right: ${question.solution}.`), ...why.map((said) => prose("p", said)));
  node.append(prose("p", question.because));
  if (isMissed) node.append(make("p", "", `Read again: ${question.reread.label}.`));
  return node;
}
