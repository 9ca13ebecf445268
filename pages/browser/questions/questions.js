// Asks the questions of a view one after the other and resolves each answer; what the view shows is covered meanwhile.
// All of it happens here: the server hears of no answer but those of a room.

// What was answered in this tab, and which covers are off, view by view: who comes back finds it as it was left.
const KEPT_ANSWERS = "attention-lab-answers";

class Asked {
  constructor() {
    try {
      this.views = new Map(JSON.parse(sessionStorage.getItem(KEPT_ANSWERS) ?? "[]"));
    } catch {
      this.views = new Map(); // a browser that keeps nothing, or something else under this name
    }
    this.style = document.head.appendChild(make("style"));
    this.reveal = null; // shows what the view on the page covers, while it does
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
      // then they are forgotten with the page
    }
  }

  uncover() {
    const open = [...this.views].filter(([, view]) => view.isOpen).map(([cover]) => `[class*="st-key-${cover}__"]`);
    this.style.textContent = open.length ? `${open.join(", ")} { content-visibility: visible !important; }` : "";
  }
}

// Forget what was answered to these questions, and ask them from one of them on.
const begin = (view, questions, at = 0) => Object.assign(view, { at, done: [], isOpen: false, asked: JSON.stringify(questions) });

const enter = (root) => root.querySelector("summary, button, input, [tabindex]")?.focus(); // what had the focus is gone

function show(data, root) {
  const { cover, questions } = data;
  const asked = (window.attentionLabAsked ??= new Asked());
  const hall = (window.attentionLabRoom ??= new AskedRoom());
  const view = asked.of(cover);
  const again = () => root.isConnected && show(data, root);
  // Another switch makes other questions of those that nobody has seen resolved yet.
  if (!view.isOpen && view.asked !== JSON.stringify(questions)) begin(view, questions, view.done.length ? 0 : view.at);
  if (view.at >= questions.length) view.at = 0;
  const open = () => {
    const hadFocus = root.contains(root.getRootNode().activeElement);
    view.isOpen = true;
    asked.reveal = null;
    uncoverLink();
    again();
    if (hadFocus) enter(root); // the key that reveals comes from elsewhere
  };
  Object.assign(hall, { onChange: again, onCount: () => {}, isSeen: () => root.isConnected && hall.of(cover).length > 0 });
  const rounds = hall.of(cover);
  if (rounds.length) openWithRoom(rounds.at(-1), view, asked);
  const isOver = view.isOpen || questions.length === 0;
  asked.reveal = isOver || rounds.length ? null : open; // a room is revealed by its own hand
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
  const lead = button(isLast ? "Show the whole" : "Next question", isLast ? open : next, "next");
  box.append(resolution(question, answer), lead);
}

// The link may cover it too.
function uncoverLink() {
  document.dispatchEvent(new CustomEvent("act", { detail: "reveal", cancelable: true }));
}

// What the hall sees revealed is not covered here.
function openWithRoom({ revealed }, view, asked) {
  const opens = revealed && !view.isOpen;
  view.isOpen = revealed;
  asked.reveal = null;
  if (opens) uncoverLink();
}

// The room of this view, which is asked or has answered; `turnTo` begins anew with one of the view's `count` questions.
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

// The server asks, for it has sealed the questions: in the room of this tab, if there is one. In a lecture the player asks.
function askTheRoom(hall, { cover, sealed, situation }, view) {
  const ask = button(hall.isAsking ? "Asking the room …" : "Ask the room", () => {
    if (hall.isIdle) return window.attentionLabPerform("room");
    hall.recall();
    hall.ask(sealed[view.at], `${cover} ${view.at}`, situation);
  }, "quiet");
  ask.disabled = hall.isAsking;
  return ask;
}

// What was expected stays one click away, with the settings it was asked for; of what was passed over, what is right.
function recalled(view, questions, again) {
  if (questions.length === 0) return [make("small", "", "Nothing to predict here: with these settings the answers would be ties.")];
  const fold = make("details");
  fold.append(make("summary", "", view.done.length ? "What you expected, and what is" : "The questions, and what is right"));
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
