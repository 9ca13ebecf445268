// The presenter's window: notes, the current and the next picture, a clock, and the answers of the room. It talks to the
// window of the hall by a channel of the browser, so different server processes may serve the two.
const ANSWERED = 600; // ms until the window of the hall must have answered
const PASSED_ON = ["next", "back", "black", "reveal", "controls", "sentence", "undo", "dismiss", "play", "overview", "restore", "room"];

class Picture {
  constructor(kind) {
    this.root = made("figure", kind);
    this.heading = made("figcaption");
    this.image = made("img");
    this.image.alt = "";
    this.none = made("p", "none", "No small picture of this page.");
    this.room = made("img", "of_room");
    this.room.hidden = true;
    this.pictures = made("div", "pictures");
    this.pictures.append(this.image, this.room);
    this.headline = made("p", "headline");
    this.sentence = made("p", "sentence");
    this.root.append(this.heading, this.headline, this.sentence, this.pictures, this.none);
  }

  // `live` is the step's picture from the window of the hall, `small` the address of its picture in the gallery.
  show(heading, live, small) {
    this.heading.textContent = heading;
    this.headline.textContent = live?.headline ?? "";
    this.sentence.textContent = live?.sentence ?? "";
    this.image.alt = live?.viewHeadline ?? "";
    const source = live?.url || (small?.startsWith("data:") ? small : window.attentionLabAddress(small ?? ""));
    this.image.hidden = !source;
    this.none.hidden = Boolean(source) || heading === END;
    if (source && this.image.getAttribute("src") !== source) this.image.src = source;
  }

  // The hall's view of the room. While the room is asked, the hall sees nothing of the step.
  showRoom(room) {
    this.room.hidden = !room?.url;
    if (!room?.url) {
      this.headline.hidden = this.sentence.hidden = false;
      return;
    }
    if (this.room.getAttribute("src") !== room.url) this.room.src = room.url;
    this.room.alt = room.isAsked ? "The room: the question and the code to scan" : "The room: the answers";
    for (const one of [this.headline, this.sentence]) one.hidden = room.isAsked;
    if (!room.isAsked) return;
    this.image.hidden = true;
    this.none.hidden = true;
  }
}

const END = "End of the lecture";

const urlOf = (svg) => URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));

// Until the hall has sent a page: its small picture from this browser, or the picture of its view with default switches.
function smallPictureOf({ source, picture }) {
  return (source && keptPicture(source, getComputedStyle(app()).colorScheme)) || picture;
}

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

  // The keys of this window act on the hall, except the list of keys.
  press(act) {
    const isLocal = act === "help" || (act === "dismiss" && window.attentionLabOverlays?.isOpen);
    if (isLocal) return document.dispatchEvent(new CustomEvent("act", { detail: act, cancelable: true })) || true;
    if (act !== "presenter") this.ask(act);
    return true;
  }

  // The window of the hall performs the act and reports its step. Without it, this window goes on alone.
  ask(act) {
    this.send({ kind: "act", act }, () => {
      this.miss();
      if (act === "next" || act === "back") this.go(this.at + (act === "next" ? 1 : -1));
    });
  }

  // Keys without an act go to a step in the hall: digits and Enter, Home, End.
  type(key) {
    if (!/^(?:\d|Enter|Home|End|ArrowUp|ArrowDown)$/u.test(key)) return false;
    this.send({ kind: "type", key }, () => this.miss());
    return true;
  }

  send(said, unanswered) {
    const id = (this.asked += 1);
    this.pending.set(id, setTimeout(() => { this.pending.delete(id); unanswered(); }, ANSWERED));
    this.channel.postMessage({ ...said, id: `${this.key} ${id}` });
  }

  // Several windows may ask at once; the id marks a window's own requests.
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
      Object.assign(this, { isDark: said.isDark, isRevealed: said.isRevealed, isOver: said.isOver, isChanged: said.isChanged });
      this.go(said.at);
    }
    if (said.kind === "picture") this.take(said);
    if (said.kind === "room") this.takeRoom(said);
  }

  // A new or reloaded window of the hall does not know yet that a presenter watches.
  greet(hall) {
    if (hall === this.hall) return;
    this.hall = hall;
    this.channel.postMessage({ kind: "hello" });
  }

  take({ of, svg, viewHeadline, headline, sentence }) {
    URL.revokeObjectURL(this.live.get(of)?.url);
    this.live.set(of, { viewHeadline, headline, sentence, url: svg && urlOf(svg) });
    this.show();
  }

  takeRoom({ of, svg, isAsked }) {
    URL.revokeObjectURL(this.roomInHall?.url);
    this.roomInHall = svg ? { of, isAsked, url: urlOf(svg) } : null;
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
    this.state.textContent = [isCovered && "Covered", this.isChanged && "Changed", this.isDark && "Black", this.isOver && "End"].filter(Boolean).join(" · ");
    this.now.show("In the hall", this.live.get(this.at), smallPictureOf(step));
    this.now.showRoom(this.roomInHall?.of === this.at ? this.roomInHall : null);
    this.next.show(next ? `Next: ${next.title || this.at + 1}` : END, next && this.live.get(this.at + 1), next && smallPictureOf(next));
    // The hall's picture may already be below it.
    const asked = this.live.get(this.at)?.headline === step.question ? "" : step.question;
    this.question.textContent = [asked, !this.isChanged && step.right && `Right: ${step.right}`].filter(Boolean).join(" · ");
    if (this.notesOf !== step) {
      this.notesOf = step;
      this.notes.scrollTop = 0;
      this.notes.replaceChildren(...blocks(step.notes || NO_NOTES));
    }
    this.notes.classList.toggle("none", !step.notes);
  }

  // The page below was drawn again, for example in another theme.
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
