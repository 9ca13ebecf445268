// The questions of a view of the path, below its picture: one after the other, each resolved with its reason. The last view
// of a stop ends with the lines to remember.
function showAtStop(data, root) {
  const { cover, questions, stop } = data;
  const asked = (window.attentionLabAsked ??= new Asked());
  const view = asked.of(cover);
  asked.reveal = null; // at a stop nothing is covered
  Object.assign(window.attentionLabRoom ?? {}, { onChange: () => {}, onCount: () => {}, isSeen: () => false });
  if (view.asked !== JSON.stringify(questions)) begin(view, questions);
  const again = () => {
    asked.keep();
    showAtStop(data, root);
  };
  const isAnswered = questions.every((_, at) => view.done[at] !== undefined);
  root.replaceChildren();
  if (questions.length) root.append(boxAtStop(view, questions, stop, root, again));
  if (stop.remember.length && (view.isOpen || isAnswered)) root.append(toRemember(stop.remember));
}

function boxAtStop(view, questions, stop, root, again) {
  const box = make("section", "box stop");
  const title = (said) => {
    box.append(make("h2", "", said));
    box.ariaLabel = said;
  };
  const restart = () => { begin(view, questions); again(); enter(root); };
  const open = () => { view.isOpen = true; again(); root.querySelector("summary").focus(); };
  if (view.isOpen) {
    title("Your turn");
    const [fold, ...rest] = recalled(view, questions, restart);
    fold.open = true;
    box.append(fold, ...rest);
    return box;
  }
  const question = questions[view.at];
  const answer = view.done[view.at];
  title(question.is_earlier ? "From an earlier stop" : "Your turn");
  const head = make("div", "head");
  head.append(prose("p", question.text, "question"), make("small", "", `${view.at + 1} of ${questions.length}`));
  box.append(head);
  if (answer === undefined) {
    const take = (given) => {
      view.done[view.at] = given;
      if (questions.every((_, at) => view.done[at] !== undefined)) document.dispatchEvent(new CustomEvent("answered", { detail: stop }));
      again();
      root.querySelector(".resolution").focus({ preventScroll: true });
    };
    box.append(FIELDS[question.kind].field(question, take), button("Show it now", open, "quiet"));
    return box;
  }
  const resolved = resolution(question, answer);
  resolved.tabIndex = -1; // screen readers read it, and the Tab key goes on from it
  const line = make("div", "options");
  if (view.at + 1 < questions.length) line.append(button("Next question", () => { view.at += 1; again(); enter(root); }, "next"));
  else if (questions.length > 1) line.append(button("All answers", open, "quiet"), button("Ask me again", restart, "quiet"));
  else line.append(button("Ask me again", restart, "quiet"));
  box.append(resolved, line);
  return box;
}

function toRemember(lines) {
  const node = make("section", "remember");
  const list = make("ul");
  list.append(...lines.map((line) => make("li", "", line)));
  node.append(make("h2", "", "Remember"), list);
  node.ariaLabel = "Remember";
  return node;
}
