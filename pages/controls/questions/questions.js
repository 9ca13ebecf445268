// Asks the questions of a view one after the other and resolves each answer; what the view shows is covered meanwhile.
// All of it happens here: the server hears of no answer.

// What was answered in this tab, and which covers are off, view by view.
class Asked {
  constructor() {
    this.views = new Map();
    this.style = document.head.appendChild(make("style"));
  }

  of(cover) {
    if (!this.views.has(cover)) this.views.set(cover, { at: 0, done: [], isOpen: false, asked: "" });
    return this.views.get(cover);
  }

  uncover() {
    const open = [...this.views].filter(([, view]) => view.isOpen).map(([cover]) => `[class*="st-key-${cover}__"]`);
    this.style.textContent = !open.length ? "" : `${open.join(", ")} { content-visibility: visible !important; }
      .stMain:has(${open.join(", ")}) .path.end p { display: block !important; }`; // what was seen at a stop
  }
}

function resolution(question, answer) {
  const node = make("div", "resolution");
  const { resolve, picture } = FIELDS[question.kind];
  if (picture) node.append(picture(question, answer));
  const [result, ...reasons] = resolve(question, answer);
  node.append(prose("p", result, "result"));
  for (const reason of [...reasons, question.because]) if (reason) node.append(prose("p", reason));
  return node;
}

function show({ cover, questions }, root) {
  const asked = (window.attentionLabAsked ??= new Asked());
  const view = asked.of(cover);
  const again = () => show({ cover, questions }, root);
  const begin = () => Object.assign(view, { at: 0, done: [], isOpen: false, asked: JSON.stringify(questions) });
  // Another switch makes other questions of those that nobody has seen resolved yet.
  if (!view.isOpen && view.asked !== JSON.stringify(questions)) begin();
  const open = () => {
    view.isOpen = true;
    if (view.done.length === questions.length) document.dispatchEvent(new CustomEvent("predicted"));
    again();
  };
  asked.uncover();
  root.replaceChildren();
  const box = make("section", "box");
  box.ariaLabel = "Predict first";
  root.append(box);
  if (view.isOpen || questions.length === 0) {
    box.append(...recalled(view, questions, () => { begin(); again(); }));
    return;
  }
  const question = questions[view.at];
  const answer = view.done[view.at];
  const head = make("div", "head");
  head.append(prose("p", question.text, "question"), make("small", "", `${view.at + 1} of ${questions.length}`));
  box.append(head);
  if (answer === undefined) {
    const field = FIELDS[question.kind].field(question, (given) => { view.done[view.at] = given; again(); root.querySelector(".next").focus(); });
    box.append(field, button("Show it now", open, "quiet"));
    return;
  }
  const isLast = view.at + 1 === questions.length;
  const next = () => { view.at += 1; again(); root.querySelector("button, input, [tabindex]")?.focus(); };
  const lead = button(isLast ? "Show the whole" : "Next question", isLast ? open : next, "next");
  box.append(resolution(question, answer), lead);
}

// What was expected stays one click away, with the settings it was asked for.
function recalled(view, questions, again) {
  if (questions.length === 0) return [make("small", "", "Nothing to predict here: with these settings the answers would be ties.")];
  const restart = button("Ask me again", again, "quiet");
  if (view.done.length === 0) return [restart];
  const fold = make("details");
  fold.append(make("summary", "", "What you expected, and what is"));
  JSON.parse(view.asked).slice(0, view.done.length).forEach((question, at) => {
    fold.append(prose("p", question.text, "question"), resolution(question, view.done[at]));
  });
  return [fold, restart];
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".questions") ?? parentElement.appendChild(make("div", "questions"));
  show(data, root);
}
