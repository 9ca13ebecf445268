// The resolution of an answer: sentences, the likely misconception, and a picture if the answer was a drawing.
function resolution(question, answer) {
  const node = make("div", "resolution");
  const { resolve, picture } = FIELDS[question.kind];
  if (picture) node.append(picture(question, answer));
  const [result, ...reasons] = resolve(question, answer);
  node.append(prose("p", result, "result"));
  for (const reason of [...reasons, question.because]) if (reason) node.append(prose("p", reason));
  node.append(...seen(question));
  return node;
}

function unanswered(question) {
  const node = make("div", "resolution");
  const said = [question.solution && prose("p", `Right: ${question.solution}`, "result"), question.because && prose("p", question.because)];
  node.append(...said.filter(Boolean), ...seen(question));
  return node;
}

// "See it" applies the change of a question of the path to the picture above, in this tab.
function seen({ see }) {
  if (!see) return [];
  const link = Object.assign(make("a", "see", "See it"), { href: window.attentionLabAddress(see) });
  link.onclick = (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    window.attentionLabEntries.go(link.href);
    document.querySelector(".st-key-page_question")?.scrollIntoView();
  };
  return [link];
}

// An answer in words.
function answered(question, answer) {
  const words = {
    choose: () => `“${plain(question.options[answer].text)}”`,
    estimate: () => `${answer}${question.unit && ` ${question.unit}`}`,
    arrange: () => answer.map((at) => plain(question.items[at])).join(", "),
    words: () => `“${answer}”`,
    sketch: () => question.labels.map((label, at) => `${label} ${spelt(question, answer[at])}`).join(", "),
  };
  return words[question.kind]();
}
