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
    const said = [...this.views].filter(([, view]) => view.isOpen).map(([cover]) => `.path[data-cover="${cover}"] p`);
    this.style.textContent = !open.length ? "" : `${open.join(", ")} { content-visibility: visible !important; }
      ${said.join(", ")} { display: block !important; }`; // what a stop of the path says of it
  }
}

function show(data, root, say) {
  const { cover, questions } = data;
  const asked = (window.attentionLabAsked ??= new Asked());
  const hall = (window.attentionLabRoom ??= new AskedRoom());
  const view = asked.of(cover);
  const again = () => root.isConnected && show(data, root, say);
  const begin = (at = 0) => Object.assign(view, { at, done: [], isOpen: false, asked: JSON.stringify(questions) });
  // Another switch makes other questions of those that nobody has seen resolved yet.
  if (!view.isOpen && view.asked !== JSON.stringify(questions)) begin(view.done.length ? 0 : view.at);
  if (view.at >= questions.length) view.at = 0;
  const enter = () => root.querySelector("summary, button, input, [tabindex]")?.focus(); // what had the focus is gone
  const open = () => {
    const hadFocus = root.contains(root.getRootNode().activeElement);
    view.isOpen = true;
    asked.reveal = null;
    uncoverLink();
    again();
    if (hadFocus) enter(); // the key that reveals comes from elsewhere
  };
  // Whoever has answered all is through, whether they go on to the whole or to the next page.
  const take = (given) => {
    view.done[view.at] = given;
    if (questions.every((_, at) => view.done[at] !== undefined)) document.dispatchEvent(new CustomEvent("predicted"));
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
  if (rounds.length) {
    box.append(...roomShown(hall, rounds, questions.length, (at) => { begin(at); again(); }));
    return;
  }
  if (view.isOpen || questions.length === 0) {
    box.append(...recalled(view, questions, () => { begin(); again(); enter(); }));
    return;
  }
  const question = questions[view.at];
  const answer = view.done[view.at];
  const head = make("div", "head");
  head.append(prose("p", question.text, "question"), make("small", "", `${view.at + 1} of ${questions.length}`));
  box.append(head);
  if (answer === undefined) {
    const field = FIELDS[question.kind].field(question, (given) => { take(given); again(); root.querySelector(".next").focus(); });
    const line = make("div", "options");
    line.append(button("Show it now", open, "quiet"), askTheRoom(hall, view, say, again));
    box.append(field, line);
    if (hall.refused) box.append(make("p", "warning", hall.refused));
    return;
  }
  const isLast = view.at + 1 === questions.length;
  const next = () => { view.at += 1; again(); enter(); };
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
  const asked = prose("p", question.text, "question");
  if (!revealed) return [asked, roomAsked(hall)];
  const at = Number(about.slice(about.lastIndexOf(" ")));
  const turn = (question) => () => {
    hall.setAside = number;
    turnTo(question);
  };
  const next = at + 1 < count ? turn(at + 1) : null;
  const shown = roomRevealed(rounds, { again: turn(at), next, close: () => hall.send("close") });
  return differ(rounds) ? [shown] : [asked, shown];
}

// The server asks, for it has the questions: in the room of this tab, where there is one.
function askTheRoom(hall, view, say, again) {
  const ask = button(hall.isAsking ? "Asking the room …" : "Ask the room", () => {
    hall.recall();
    Object.assign(hall, { isAsking: true, refused: "" });
    say("ask", { at: view.at, ...hall.kept, id: Date.now() });
    again();
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

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".questions") ?? parentElement.appendChild(make("div", "questions"));
  show(data, root, setTriggerValue);
  window.attentionLabRoom.hear(data.room);
  const { attentionLabAsked: asked } = window;
  const own = asked.reveal;
  return () => { if (asked.reveal === own) asked.reveal = null; };
}
