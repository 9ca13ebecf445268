// The presenter's window: notes, the picture shown and the next one, a clock, and a place for what the room answers. It and
// the window of the hall tell each other by a channel of the browser, so it is no matter which processes serve them.
const ANSWERED = 600; // ms within which a window of the hall, if there is one, has answered
const PASSED_ON = ["next", "back", "black", "reveal", "controls", "undo", "drop", "play"];

class Picture {
  constructor(kind) {
    this.root = made("figure", kind);
    this.heading = made("figcaption");
    this.image = made("img");
    this.image.alt = "";
    this.none = made("p", "none", "No small picture of this page.");
    this.answer = made("p", "answer");
    this.root.append(this.heading, this.image, this.none, this.answer);
  }

  // `live` is what the window of the hall has told of the step, `small` the address of its picture in the gallery.
  show(heading, live, small) {
    this.heading.textContent = heading;
    this.answer.textContent = live?.answer ?? "";
    const source = live?.url || window.attentionLabAddress(small ?? "");
    this.image.hidden = !source;
    this.none.hidden = Boolean(source) || heading === END;
    if (source && this.image.getAttribute("src") !== source) this.image.src = source;
  }
}

const END = "End of the lecture";

class Presenter {
  constructor({ name, title, at, notes, css }) {
    Object.assign(this, { name, steps: notes, at, live: new Map(), pending: new Map(), asked: 0, isDark: false, isRevealed: false });
    this.style = made("style", "", css);
    this.root = made("div", "lecture_presenter");
    lay(this.root, this.style);
    this.build(title);
    this.channel = new BroadcastChannel(`attention-lab-lecture ${name}`);
    this.channel.onmessage = ({ data: said }) => this.hear(said);
    this.act = (event) => PASSED_ON.includes(event.detail) && (event.preventDefault(), this.ask(event.detail));
    document.addEventListener("act", this.act);
    this.show();
    this.send({ kind: "hello" }, () => this.miss());
  }

  build(title) {
    this.now = new Picture("shown");
    this.next = new Picture("coming");
    this.clock = new Clock(this.name);
    const [head, main, side, foot] = ["header", "main", "aside", "footer"].map((tag) => made(tag));
    this.where = made("strong", "where");
    this.state = made("span", "state");
    this.question = made("p", "question");
    this.notes = Object.assign(made("div", "notes"), { tabIndex: 0, ariaLabel: "Notes" });
    this.notes.setAttribute("role", "region");
    this.room = Object.assign(made("div", "room"), { id: "room" });
    followRoom(this.room);
    this.missing = made("p", "missing");
    head.append(made("span", "title", title), this.where, this.state, this.clock.root);
    main.append(this.now.root, this.question, this.notes);
    side.append(this.next.root, this.room);
    const acts = { "← Previous": "back", "Next →": "next", "Reveal (R)": "reveal", "Black (B)": "black", "Keys (?)": "help" };
    for (const [text, act] of Object.entries(acts)) {
      foot.append(Object.assign(made("button", act, text), { type: "button", onclick: () => this.press(act) }));
    }
    foot.append(this.missing);
    this.root.append(head, main, side, foot);
  }

  // The keys of this window are for the hall, but for the list of them.
  press(act) {
    if (act === "help") return document.dispatchEvent(new CustomEvent("act", { detail: act, cancelable: true })) || true;
    if (act !== "presenter") this.ask(act);
    return true;
  }

  // The window of the hall does it, and says where it is then; without one this window goes on alone.
  ask(act) {
    this.send({ kind: "act", act }, () => {
      this.miss();
      if (act === "next" || act === "back") this.go(this.at + (act === "next" ? 1 : -1));
    });
  }

  send(said, unanswered) {
    const id = (this.asked += 1);
    this.pending.set(id, setTimeout(() => { this.pending.delete(id); unanswered(); }, ANSWERED));
    this.channel.postMessage({ ...said, id: `${this.key} ${id}` });
  }

  // Several windows may ask at once: each knows its own questions by this.
  get key() {
    return (this.ownKey ??= Math.random().toString(36).slice(2));
  }

  miss() {
    const again = Object.assign(made("button", "", "Open one"), { type: "button", onclick: () => this.openHall() });
    this.missing.replaceChildren("No window for the hall plays this lecture. ", again);
  }

  openHall() {
    const address = new URL(location.href);
    address.searchParams.delete("presenter");
    window.open(address, "_blank", "noopener");
  }

  hear(said) {
    if (said.kind === "at") {
      this.greet(said.hall);
      const [key, id] = String(said.id ?? "").split(" ");
      if (key === this.key) clearTimeout(this.pending.get(Number(id)));
      this.missing.replaceChildren();
      Object.assign(this, { isDark: said.isDark, isRevealed: said.isRevealed });
      this.go(said.at);
    }
    if (said.kind === "picture") this.take(said);
  }

  // A window for the hall that was opened, or loaded again, has not heard yet that somebody looks.
  greet(hall) {
    if (hall === this.hall) return;
    this.hall = hall;
    this.channel.postMessage({ kind: "hello" });
  }

  take({ of, svg, answer }) {
    URL.revokeObjectURL(this.live.get(of)?.url);
    this.live.set(of, { answer, url: svg && URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) });
    this.show();
  }

  go(to) {
    this.at = Math.min(Math.max(to, 1), this.steps.length);
    const address = new URL(location.href);
    address.searchParams.set("step", this.at);
    History.prototype.replaceState.call(history, history.state, "", address);
    this.show();
  }

  show() {
    const [step, next] = [this.steps[this.at - 1], this.steps[this.at]];
    this.where.textContent = [`${this.at} / ${this.steps.length}`, step.title].filter(Boolean).join(" · ");
    const isCovered = step.covered && !this.isRevealed;
    this.state.textContent = [isCovered && "Covered", this.isDark && "Black"].filter(Boolean).join(" · ");
    this.now.show("In the hall", this.live.get(this.at), step.picture);
    this.next.show(next ? `Next: ${next.title || this.at + 1}` : END, next && this.live.get(this.at + 1), next?.picture);
    this.question.textContent = step.question;
    if (this.notes.textContent !== (step.notes || NO_NOTES)) this.notes.scrollTop = 0;
    this.notes.textContent = step.notes || NO_NOTES;
    this.notes.classList.toggle("none", !step.notes);
  }

  // The page below was drawn again, in another theme say.
  renew({ notes }) {
    this.steps = notes;
    this.show();
  }

  close() {
    this.channel.close();
    clearInterval(this.clock.timer);
    document.removeEventListener("act", this.act);
    lift(this.root, this.style);
  }
}

const NO_NOTES = "No notes for this step.";

export default function ({ data }) {
  return overThePage("attentionLabPresenter", data, (given) => new Presenter(given));
}
