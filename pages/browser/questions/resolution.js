// What an answer comes to: as a picture where it was drawn, in sentences, and with what it may rest on.
function resolution(question, answer) {
  const node = make("div", "resolution");
  const { resolve, picture } = FIELDS[question.kind];
  if (picture) node.append(picture(question, answer));
  const [result, ...reasons] = resolve(question, answer);
  node.append(prose("p", result, "result"));
  for (const reason of [...reasons, question.because]) if (reason) node.append(prose("p", reason));
  return node;
}

function unanswered(question) {
  const node = make("div", "resolution");
  node.append(prose("p", question.solution, "result"), prose("p", question.because));
  return node;
}

// An answer in words, as plain text.
function answered(question, answer) {
  const words = {
    choose: () => `“${plain(question.options[answer].text)}”`,
    estimate: () => `${answer}${question.unit && ` ${question.unit}`}`,
    arrange: () => answer.map((at) => plain(question.items[at])).join(", "),
    sketch: () => question.labels.map((label, at) => `${label} ${spelt(question, answer[at])}`).join(", "),
  };
  return words[question.kind]();
}
