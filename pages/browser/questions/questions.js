// Asks the questions of a view one after the other and resolves each answer. Meanwhile the result is covered.
// Answers stay in the browser; the server gets only the answers of a room.

// The answers in this tab and the revealed covers, for each view. A visitor who comes back finds them again.
const KEPT_ANSWERS = "attention-lab-answers";

class Asked {
  constructor() {
    try {
      this.views = new Map(JSON.parse(sessionStorage.getItem(KEPT_ANSWERS) ?? "[]"));
    } catch {
      this.views = new Map(); // the store is blocked, or the value is not JSON
    }
    this.style = document.head.appendChild(make("style"));
    this.reveal = null; // a function that reveals the covered view, or null
    document.addEventListener("act", (event) => {
      if (event.detail !== "reveal" || !this.reveal) return;
      event.preventDefault();
      this.reveal();
    });
  }

  of(cover) {
    if (!this.views.has(cover)) this.views.set(cover, { at: 0, done: [], isOpen: false, asked: "" });
    return this.views.get(cover);
  }

  keep() {
    try {
      sessionStorage.setItem(KEPT_ANSWERS, JSON.stringify([...this.views]));
    } catch {
      // they last as long as the page
    }
  }

  uncover() {
    const open = [...this.views].filter(([, view]) => view.isOpen).map(([cover]) => `[class*="st-key-${cover}__"]`);
    this.style.textContent = open.length ? `${open.join(", ")} { content-visibility: visible !important; }` : "";
  }
}

// Forgets the answers to these questions, and asks them from number `at` on.
const begin = (view, questions, at = 0) => Object.assign(view, { at, done: [], isOpen: false, asked: JSON.stringify(questions) });

const enter = (root) => root.querySelector("summary, button, input, [tabindex]")?.focus(); // the focused element is gone

function show(data, root) {
  const { cover, questions } = data;
  const asked = (window.attentionLabAsked ??= new Asked());
  const hall = (window.attentionLabRoom ??= new AskedRoom());
  const view = asked.of(cover);
  const again = () => root.isConnected && show(data, root);
  // After a switch, unresolved questions are replaced by the new ones.
  if (!view.isOpen && view.asked !== JSON.stringify(questions)) begin(view, questions, view.done.length ? 0 : view.at);
  if (view.at >= questions.length) view.at = 0;
  const open = () => {
    const hadFocus = root.contains(root.getRootNode().activeElement);
    view.isOpen = true;
    asked.reveal = null;
    uncoverLink();
    again();
    if (hadFocus) enter(root); // after a reveal by the key, the focus stays elsewhere
  };
  Object.assign(hall, { onChange: again, onCount: () => {}, isSeen: () => root.isConnected && hall.of(cover).length > 0 });
  const rounds = hall.of(cover);
  if (rounds.length) openWithRoom(rounds.at(-1), view, asked);
  const isOver = view.isOpen || questions.length === 0;
  asked.reveal = isOver || rounds.length ? null : open; // a room has its own reveal
  asked.uncover();
  asked.keep();
  root.replaceChildren();
  const box = make("section", "box");
  box.ariaLabel = "Predict first";
  root.append(box);
  window.attentionLabOffered = { ...data, at: view.at };
  document.documentElement.toggleAttribute("data-unanswered", !isOver && !rounds.length);
  document.documentElement.toggleAttribute("data-room-beside", rounds.at(-1)?.revealed ?? false);
  const isLarge = new URLSearchParams(location.search).has("large");
  root.classList.toggle("is_large", isLarge);
  root.classList.toggle("over_switches", !isLarge && Boolean(document.querySelector('.stSidebar[data-collapsed="false"]')));
  if (rounds.length) {
    box.classList.add(rounds.at(-1).revealed ? "beside" : "wall");
    box.append(...roomShown(hall, rounds, questions.length, (at) => { begin(view, questions, at); again(); }));
    return;
  }
  if (view.isOpen || questions.length === 0) {
    box.append(...recalled(view, questions, () => { begin(view, questions); again(); enter(root); }));
    return;
  }
  const question = questions[view.at];
  const answer = view.done[view.at];
  const head = make("div", "head");
  head.append(prose("p", question.text, "question"), make("small", "", `${view.at + 1} of ${questions.length}`));
  box.append(head);
  if (answer === undefined) {
    const field = FIELDS[question.kind].field(question, (given) => { view.done[view.at] = given; again(); root.querySelector(".next").focus(); });
    const line = make("div", "options");
    line.append(button("Show it now", open, "quiet"), askTheRoom(hall, data, view));
    box.append(field, line);
    if (hall.refused) box.append(make("p", "warning", hall.refused));
    return;
  }
  const isLast = view.at + 1 === questions.length;
  const next = () => { view.at += 1; again(); enter(root); };
  const lead = button(isLast ? "Show the result" : "Next question", isLast ? open : next, "next");
  box.append(resolution(question, answer), lead);
}

// Also reveals the cover that the link may set.
function uncoverLink() {
  document.dispatchEvent(new CustomEvent("act", { detail: "reveal", cancelable: true }));
}

// If the room is revealed, the view is revealed here, too.
function openWithRoom({ revealed }, view, asked) {
  const opens = revealed && !view.isOpen;
  view.isOpen = revealed;
  asked.reveal = null;
  if (opens) uncoverLink();
}

// The room of this view, before or after the reveal. `turnTo` starts again at one of the view's `count` questions.
function roomShown(hall, rounds, count, turnTo) {
  const { about, number, revealed, question } = rounds.at(-1);
  if (!revealed) return [roomAsked(hall)];
  const at = Number(about.slice(about.lastIndexOf(" ")));
  const turn = (question) => () => {
    hall.putAside(number);
    if (question === at) pin(window);
    turnTo(question);
  };
  const next = at + 1 < count ? turn(at + 1) : null;
  const shown = roomRevealed(hall, rounds, { again: turn(at), next });
  return differ(rounds) ? [shown] : [prose("p", question.text, "question"), shown];
}

// The server asks the room, because it has sealed the questions. In a lecture the player asks.
function askTheRoom(hall, { cover, sealed, situation }, view) {
  const ask = button(hall.isAsking ? "Asking the room …" : "Ask the room", () => {
    if (hall.isIdle) return window.attentionLabPerform("room");
    hall.recall();
    hall.ask(sealed[view.at], `${cover} ${view.at}`, situation);
  }, "quiet");
  ask.disabled = hall.isAsking;
  return ask;
}

// The visitor's answers, folded, with the questions as they were asked. A skipped question shows its solution.
function recalled(view, questions, again) {
  if (questions.length === 0) return [make("small", "", "With these settings there is no question with one clear answer.")];
  const fold = make("details");
  fold.append(make("summary", "", view.done.length ? "Your answers, and the right ones" : "The questions, and the right answers"));
  JSON.parse(view.asked).forEach((question, at) => {
    const said = view.done[at] === undefined ? unanswered(question) : resolution(question, view.done[at]);
    fold.append(prose("p", question.text, "question"), said);
  });
  return [fold, button("Ask me again", again, "quiet")];
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".questions") ?? parentElement.appendChild(make("div", "questions"));
  if (data.stop) return showAtStop(data, root);
  show(data, root);
  const { attentionLabAsked: asked } = window;
  const own = asked.reveal;
  asked.root = root;
  return () => {
    if (asked.reveal === own) asked.reveal = null;
    setTimeout(() => {
      if (root.isConnected || asked.root !== root) return;
      for (const name of ["data-unanswered", "data-room-beside"]) document.documentElement.removeAttribute(name);
    });
  };
}
