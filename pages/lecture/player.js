// Plays a lecture over the whole window. Loaded after the other scripts of this folder.
const KEEP_UP = 250; // ms that the current page has the processor for itself before the next is made
const PATIENCE = 8000; // ms until an unfinished page is shown: it may have a message
const LOOK = 700; // ms between pictures for the presenter's window
const FOLLOW = 200; // ms between checks for changes of the current step
const OF_THE_PAGE = ["play", "undo", "reveal", "controls", "sentence", "search"];

class Player {
  constructor(data) {
    const { name, title, steps, at, note, css, roomCss } = data;
    Object.assign(this, { name, steps, at, sent: new Map(), isWatched: false, isDark: false, isOver: false, isAway: false, isChanged: false });
    this.searched = null; // keys typed for a search before the step is ready
    this.key = String(Math.random()); // distinguishes windows that play the same lecture
    this.root = made("div", "lecture_player");
    this.style = made("style", "", css);
    const host = made("div", "frames");
    this.foot = new FootLine(title, (act) => this.press(act));
    this.end = made("section", "end");
    this.end.hidden = true;
    this.end.append(made("h1", "", title), made("p", "", "End"));
    this.overview = new Overview(this);
    this.typed = new TypedNumber(this);
    this.root.append(host, this.end, this.foot.root, this.overview.root);
    lay(this.root, this.style);
    this.frames = new Frames(name, steps, host, () => getComputedStyle(app()).colorScheme);
    this.foot.note.textContent = note;
    this.channel = new BroadcastChannel(`attention-lab-lecture ${name}`);
    this.channel.onmessage = ({ data: said }) => this.hear(said);
    this.timers = [setInterval(() => this.follow(), FOLLOW), setInterval(() => this.isWatched && this.sendPictures(), LOOK)];
    this.room = new RoomInHall(this, roomCss);
    this.act = (event) => this.answer(event);
    this.darkened = ({ detail }) => { this.isDark = detail; this.tell(); };
    document.addEventListener("act", this.act, { capture: true }); // before the page below, which has its own history
    document.addEventListener("darkened", this.darkened);
    this.go(at);
  }

  // The title is already the next step's, so the old picture is dimmed.
  set isWaiting(isWaiting) {
    this.root.classList.toggle("waiting", isWaiting);
  }

  // The current page.
  get page() {
    return this.frames.shown?.element.contentDocument ?? null;
  }

  // Performs the act of a key, pressed in this window or in a frame.
  press(act) {
    this.takeFocus();
    return window.attentionLabPerform(act);
  }

  // Takes a key without an act: digits, Enter, Home, End. Returns whether the lecture has used it.
  type(key) {
    if (this.searched === null) return this.typed.press(key);
    if (key.length === 1) this.searched += key;
    return key.length === 1;
  }

  answer(event) {
    const act = event.detail;
    if (act === "next" || act === "back") this.step(act === "next" ? 1 : -1);
    else if (act === "overview") this.overview.toggle();
    else if (act === "dismiss") this.dismiss();
    else if (act === "presenter" || act === "save") this.openPresenter(); // one key, see shortcuts.js
    else if (OF_THE_PAGE.includes(act)) this.onPage(act);
    else if (act === "restore") this.restoreStep();
    // F5, which starts a show on a remote, has no effect here, so the page is not reloaded.
    else if (act !== "start") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  onPage(act) {
    if (act === "search" && this.frames.shown?.at !== this.at) this.searched ??= "";
    if (this.searched !== null || this.frames.shown?.at !== this.at) return false; // what is done on the old step's page is lost
    const done = this.frames.perform(this.frames.shown, act);
    if (act === "reveal" && done) this.tell();
    return done;
  }

  step(by) {
    if (this.overview.isOpen) this.overview.choose(this.overview.chosen + by);
    else if (by > 0) this.next();
    else if (this.isOver) this.finish(false);
    else this.go(this.at - 1);
  }

  // Escape closes an overlay or the controls.
  dismiss() {
    this.typed.set("");
    if (this.overview.isOpen) this.overview.close();
    else if (this.page?.documentElement.dataset.controls) this.onPage("fold");
  }

  // Notices changes on the current page.
  follow() {
    const { shown } = this.frames;
    if (shown?.at !== this.at) return;
    const [isAway, isChanged] = [this.frames.isAway(shown), this.frames.isChanged(shown)];
    if (isAway === this.isAway && isChanged === this.isChanged) return;
    Object.assign(this, { isAway, isChanged });
    this.foot.say(this);
    this.tell();
  }

  isRevealed(at) {
    return Boolean(this.frames.made.get(at)?.isRevealed ?? this.frames.left.get(at)?.isRevealed);
  }

  // Shows the end after the last step, unless that step is itself an end.
  finish(isOver) {
    if (this.isOver === isOver || (isOver && this.steps.at(-1).kind === "end")) return;
    this.isOver = isOver;
    this.end.hidden = !isOver;
    this.foot.say(this);
    this.tell();
  }

  // Restores the step as it was prepared.
  restoreStep() {
    this.finish(false);
    this.frames.restore(this.at);
    this.bring(this.at);
  }

  // The first "next" on a covered step reveals it, because a remote has no other key for that. If its page is not ready yet,
  // it is revealed as soon as it is. Before its question is in sight, the key does nothing, so that no question is skipped.
  next() {
    const isHere = this.frames.shown?.at === this.at;
    if (!isHere && this.steps[this.at - 1].covered && !this.isRevealed(this.at)) return;
    if (isHere && this.onPage("reveal")) return;
    if (isHere && this.frames.revealLater()) return;
    if (this.at === this.steps.length) this.finish(true);
    else this.go(this.at + 1);
  }

  go(to) {
    const at = Math.min(Math.max(to, 1), this.steps.length);
    this.finish(false);
    if (at === this.at && this.frames.shown) return;
    if (this.frames.shown) this.foot.note.textContent = "";
    Object.assign(this, { at, isAway: false, isChanged: false });
    this.foot.say(this);
    this.write();
    this.tell();
    this.frames.leaveAllBut(at);
    this.bring(at);
  }

  // Shows a step once it is drawn.
  bring(at) {
    const frame = this.frames.of(at);
    this.isWaiting = this.frames.shown !== frame;
    const show = () => this.at === at && this.frames.shown !== frame && this.frames.made.get(at) === frame && this.show(at);
    frame.drawn.then(show);
    setTimeout(show, PATIENCE);
  }

  show(at) {
    this.frames.show(at);
    this.isWaiting = false;
    this.takeFocus();
    this.tell();
    this.search();
    this.frames.shown.ready.then(() => setTimeout(() => this.preload(), KEEP_UP));
  }

  // Opens a search that was requested before the page was ready.
  search() {
    const [wanted, { contentWindow: page }] = [this.searched, this.frames.shown.element];
    this.searched = null;
    if (wanted === null) return;
    page.attentionLabSearched = wanted;
    this.onPage("search");
  }

  // Loads the next page first, then the page before, which is loaded already unless the lecture began here.
  preload() {
    const { at } = this;
    if (this.frames.shown?.at !== at) return;
    const before = () => at > 1 && this.at === at && this.frames.of(at - 1);
    if (at < this.steps.length) this.frames.of(at + 1).ready.then(before);
    else before();
  }

  // This window gets the keys, even before the next page is ready. After a click into a page, the page gets them.
  takeFocus() {
    if (document.activeElement?.tagName === "IFRAME") document.activeElement.blur();
    window.focus();
  }

  // A reload comes back to this step. Steps add no entries to the browser's history.
  write() {
    const address = new URL(location.href);
    address.searchParams.set("step", this.at);
    History.prototype.replaceState.call(history, history.state, "", address);
  }

  openPresenter() {
    const address = new URL(location.href);
    address.searchParams.set("presenter", "1");
    // The window gets its own process, so drawing it does not delay the picture.
    window.open(address, "_blank", "noopener,popup,width=1200,height=800");
  }

  // The step of a page.
  stepIn(page) {
    const frame = [...this.frames.made.values()].find(({ element }) => element.contentWindow === page);
    return frame ? this.steps[frame.at - 1] : null;
  }

  hear({ kind, act, at, id, key }) {
    if (kind === "hello") {
      this.isWatched = true;
      this.sent.clear();
      this.sendPictures();
    }
    if (kind === "act") window.attentionLabPerform(act);
    if (kind === "go") this.go(at);
    if (kind === "type") this.type(key);
    if (["hello", "act", "go", "type"].includes(kind)) this.tell(id);
  }

  tell(id) {
    this.room.show();
    const { at, isDark, isOver, isChanged } = this;
    this.channel.postMessage({ kind: "at", hall: this.key, at, isDark, isOver, isChanged, isRevealed: this.isRevealed(at), id });
  }

  sendPictures() {
    for (const frame of this.frames.made.values()) {
      const isFresh = !this.sent.has(frame.at);
      if (isFresh) frame.isDirty = true;
      const picture = pictureIn(frame, frame === this.frames.shown);
      const said = JSON.stringify(picture);
      if (!picture || this.sent.get(frame.at) === said) continue;
      this.sent.set(frame.at, said);
      this.channel.postMessage({ kind: "picture", of: frame.at, ...picture });
    }
    const seen = `${this.at} ${seenOfRoom(this.room)}`;
    if (this.sent.get("room") === seen) return;
    this.sent.set("room", seen);
    this.channel.postMessage({ kind: "room", of: this.at, ...pictureOfRoom(this.room) });
  }

  close() {
    this.timers.forEach(clearInterval);
    this.room.close();
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
