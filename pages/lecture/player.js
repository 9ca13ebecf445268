// Plays a lecture over the whole window. It stands below the other scripts of this folder.
const KEEP_UP = 250; // ms for which the page that is shown has the processor for itself before the next is made
const PATIENCE = 8000; // ms after which a page is shown as it is: it may have something to say about that
const LOOK = 700; // ms between looks at what the presenter's window shows
const OF_THE_PAGE = ["play", "undo", "reveal", "controls", "search"];

class Player {
  constructor(data) {
    const { name, title, steps, at, note, css } = data;
    Object.assign(this, { name, steps, at, sent: new Map(), isWatched: false, isDark: false });
    this.key = String(Math.random()); // tells it from another window that plays the same
    this.root = made("div", "lecture_player");
    this.style = made("style", "", css);
    const host = made("div", "frames");
    this.foot = new FootLine(title, (act) => this.press(act));
    this.root.append(host, this.foot.root);
    lay(this.root, this.style);
    this.frames = new Frames(name, steps, host);
    this.foot.note.textContent = note;
    this.channel = new BroadcastChannel(`attention-lab-lecture ${name}`);
    this.channel.onmessage = ({ data: said }) => this.hear(said);
    this.timer = setInterval(() => this.isWatched && this.sendPictures(), LOOK);
    this.act = (event) => this.answer(event);
    this.darkened = ({ detail }) => { this.isDark = detail; this.tell(); };
    document.addEventListener("act", this.act, { capture: true }); // before the page below, which has a history of its own
    document.addEventListener("darkened", this.darkened);
    this.go(at);
  }

  // The title is that of the step to come already: the picture before it is dimmed.
  set isWaiting(isWaiting) {
    this.root.classList.toggle("waiting", isWaiting);
  }

  // The page that is shown.
  get page() {
    return this.frames.shown?.element.contentDocument ?? null;
  }

  // What a key of this window asks for, or of the page in a frame.
  press(act) {
    this.takeFocus();
    return window.attentionLabPerform(act);
  }

  answer(event) {
    const act = event.detail;
    if (act === "next") this.next();
    else if (act === "back") this.go(this.at - 1);
    else if (act === "presenter" || act === "save") this.openPresenter(); // one key, see shortcuts.js
    else if (OF_THE_PAGE.includes(act)) this.onPage(act);
    else if (act === "prepared") this.prepareAnew();
    // The key with which a remote starts a show goes on with it; Escape once too often takes back nothing that is prepared.
    else if (act !== "start" && act !== "drop") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  onPage(act) {
    const done = this.frames.shown !== null && this.frames.perform(this.frames.shown, act);
    if (act === "reveal" && done) this.tell();
    return done;
  }

  // The step as it was prepared, after whatever was changed on it.
  prepareAnew() {
    this.frames.prepare(this.at);
    this.bring(this.at);
  }

  // The first step from a covered picture is to show it: a remote has no other key for that.
  next() {
    const isHere = this.frames.shown?.at === this.at;
    if (isHere && this.onPage("reveal")) return;
    this.go(this.at + 1);
  }

  go(to) {
    const at = Math.min(Math.max(to, 1), this.steps.length);
    if (at === this.at && this.frames.shown) return;
    if (this.frames.shown) this.foot.note.textContent = "";
    this.at = at;
    this.foot.say(at, this.steps);
    this.write();
    this.tell();
    this.frames.leaveAllBut(at);
    this.bring(at);
  }

  // Show a step once it is drawn.
  bring(at) {
    this.isWaiting = this.frames.shown?.at !== at;
    const show = () => this.at === at && this.frames.shown?.at !== at && this.show(at);
    this.frames.of(at).drawn.then(show);
    setTimeout(show, PATIENCE);
  }

  show(at) {
    this.frames.show(at);
    this.isWaiting = false;
    this.takeFocus();
    this.tell();
    this.frames.shown.ready.then(() => setTimeout(() => this.prepare(), KEEP_UP));
  }

  // The next one first, then the one before, which is there already unless the lecture began here.
  prepare() {
    const { at } = this;
    if (this.frames.shown?.at !== at) return;
    const before = () => at > 1 && this.at === at && this.frames.of(at - 1);
    if (at < this.steps.length) this.frames.of(at + 1).ready.then(before);
    else before();
  }

  // The keys come here, also before the next page hears any; who clicks into a page types there.
  takeFocus() {
    if (document.activeElement?.tagName === "IFRAME") document.activeElement.blur();
    window.focus();
  }

  // A reload comes back to this step; none of them is a step of the browser's history.
  write() {
    const address = new URL(location.href);
    address.searchParams.set("step", this.at);
    History.prototype.replaceState.call(history, history.state, "", address);
  }

  openPresenter() {
    const address = new URL(location.href);
    address.searchParams.set("presenter", "1");
    // A process of its own: what it draws does not hold up the picture.
    window.open(address, "_blank", "noopener,popup,width=1200,height=800");
  }

  // The question of the step that a page is shown in.
  questionIn(page) {
    const frame = [...this.frames.made.values()].find(({ element }) => element.contentWindow === page);
    return frame ? this.steps[frame.at - 1].question : "";
  }

  hear({ kind, act, at, id }) {
    if (kind === "hello") {
      this.isWatched = true;
      this.sent.clear();
      this.sendPictures();
    }
    if (kind === "act") window.attentionLabPerform(act);
    if (kind === "go") this.go(at);
    if (["hello", "act", "go"].includes(kind)) this.tell(id);
  }

  tell(id) {
    const { at, isDark } = this;
    const isRevealed = Boolean(this.frames.made.get(at)?.isRevealed);
    this.channel.postMessage({ kind: "at", hall: this.key, at, isDark, isRevealed, id });
  }

  sendPictures() {
    for (const frame of this.frames.made.values()) {
      const picture = pictureIn(frame);
      const said = JSON.stringify(picture);
      if (!picture || this.sent.get(frame.at) === said) continue;
      this.sent.set(frame.at, said);
      this.channel.postMessage({ kind: "picture", of: frame.at, ...picture });
    }
  }

  close() {
    clearInterval(this.timer);
    this.channel.close();
    document.removeEventListener("act", this.act, { capture: true });
    document.removeEventListener("darkened", this.darkened);
    for (const frame of this.frames.made.values()) frame.giveUp();
    lift(this.root, this.style);
  }
}

export default function ({ data }) {
  return overThePage("attentionLabPlayer", data, (given) => new Player(given));
}
