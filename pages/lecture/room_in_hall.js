// The room in the window of the hall. One key leads from a step to its question for everybody's phone, and back. While it is
// asked it fills the window; what was answered stands beside the picture. ROOM are the scripts of pages/browser/questions.
const HOW_AGAIN = { view: "Change a switch (H), then press Q to ask again.", slide: "Press Q to ask again." };
const COMES_BACK = "The room is hidden: press Q to bring it back.";

class RoomInHall {
  // `player` has the steps, the page that is shown, and what its keys do.
  constructor(player, css) {
    Object.assign(this, { player, isHidden: false, again: 0, wasRevealed: 0 });
    this.host = made("div", "in_hall_room");
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.append(Object.assign(document.createElement("style"), { textContent: css }));
    this.box = this.root.appendChild(made("section", "box"));
    this.box.ariaLabel = "Room";
    player.root.append(this.host);
    this.hall = window.attentionLabRoom = new ROOM.AskedRoom();
    this.hall.onChange = () => this.show();
    this.act = (event) => this.answer(event);
    document.addEventListener("act", this.act, { capture: true }); // before the player, which goes on
  }

  // What the rounds of the step that is shown are about.
  get place() {
    const letters = [...this.player.name].reduce((sum, one) => (31 * sum + one.codePointAt(0)) % 2147483647, 7);
    return `step ${this.player.at} of ${letters}`;
  }

  get rounds() {
    return this.hall.of(this.place);
  }

  // Whether the question is over the picture, so that the hall sees nothing of it.
  get isAsked() {
    return !this.host.hidden && !this.rounds.at(-1)?.revealed;
  }

  get step() {
    return this.player.steps[this.player.at - 1];
  }

  get frame() {
    return this.player.frames.made.get(this.player.at);
  }

  answer(event) {
    const act = event.detail;
    if (this.player.overview.isOpen || this.player.isOver) return; // they lie over the room
    if (act === "prepared" && !this.host.hidden) this.hide();
    if (act === "room") {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.toggle();
    }
    if (!["reveal", "next"].includes(act) || !this.rounds.length || !this.hall.isLive) return;
    this.hall.send("reveal"); // for the phones too; the player reveals the picture
    const isCovered = this.step.covered && !this.frame?.isRevealed;
    if (isCovered) return;
    event.preventDefault(); // there is nothing else to reveal, and the step stays
    event.stopImmediatePropagation();
  }

  toggle() {
    if (!this.rounds.length) return this.ask();
    if (this.player.foot.note.textContent === COMES_BACK) this.say("");
    this.isHidden = !this.isHidden;
    this.show();
  }

  // The step comes back as it was prepared, with no room over it or beside it.
  hide() {
    this.isHidden = true;
    this.show();
    this.say(COMES_BACK);
  }

  // Ask the step's own question, else one of its view's: the one that was asked before, as far as the view still asks it.
  // A page that is still being drawn is asked about once its switches are known.
  ask(at = this.asked?.at ?? 0) {
    const offered = this.player.page?.defaultView.attentionLabOffered;
    const { frame, place } = this;
    if (!offered && frame && !frame.isReady) return frame.ready.then(() => this.place === place && !this.rounds.length && this.ask(at));
    const isSame = this.asked?.place === this.place && this.asked.at === at;
    const same = isSame ? (offered?.questions.findIndex(({ text }) => text === this.asked.text) ?? -1) : -1;
    const question = this.step.room[0] ?? offered?.sealed[same < 0 ? at : same] ?? offered?.sealed[0];
    if (!question) return this.say("This step has no question for the room.");
    if (!question.seal) return this.say("Rooms cannot be kept.");
    this.isHidden = false;
    this.hall.recall();
    this.hall.ask(question, `${this.place} ${at}`, offered?.situation, this.frame?.isPrepared ?? true);
  }

  say(text) {
    this.player.foot.note.textContent = text;
  }

  // Another step was turned to, or the room has something new to show.
  show() {
    const { hall, rounds } = this;
    const now = rounds.at(-1);
    if (hall.refused) this.say(hall.refused);
    if (now?.revealed && this.wasRevealed !== now.number) this.uncover(now.number);
    const isShown = Boolean(now) && !this.isHidden;
    this.host.hidden = !isShown;
    this.host.classList.toggle("beside", isShown && now.revealed);
    this.player.root.classList.toggle("with_result", isShown && now.revealed);
    if (!now) return;
    if (!now.revealed && this.wasRevealed && this.frame) this.cover();
    if (!now.revealed && Object.values(HOW_AGAIN).includes(this.player.foot.note.textContent)) this.say("");
    const { about } = now;
    this.asked = { place: this.place, at: Number(about.slice(about.lastIndexOf(" "))), text: now.question.text };
    this.box.className = now.revealed ? "box beside" : "box wall";
    this.box.replaceChildren(...(now.revealed ? this.result(rounds) : [ROOM.roomAsked(hall, () => this.toggle())]));
  }

  result(rounds) {
    const { number, question } = rounds.at(-1);
    const { at } = this.asked;
    const offered = this.player.page?.defaultView.attentionLabOffered;
    const turn = (then) => () => {
      this.hall.putAside(number);
      then();
    };
    const again = turn(() => {
      this.cover();
      ROOM.pin(this.frame.element.contentWindow);
      this.show();
      this.say(this.step.kind ? HOW_AGAIN.slide : HOW_AGAIN.view);
    });
    const hasNext = !this.step.room.length && at + 1 < (offered?.sealed.length ?? 0);
    const next = hasNext ? turn(() => { this.cover(); this.ask(at + 1); }) : null;
    const shown = ROOM.roomRevealed(this.hall, rounds, { again, next, leave: () => this.toggle() });
    return ROOM.differ(rounds) ? [shown] : [ROOM.prose("p", question.text, "question"), shown];
  }

  // What the hall has answered is revealed: so is the picture, also after a reload.
  uncover(number) {
    if (!this.step.covered) {
      this.wasRevealed = number;
    } else if (this.frame?.isRevealed || this.player.onPage("reveal")) {
      this.wasRevealed = number;
      this.player.tell();
    }
  }

  // Until the second reveal the picture is covered, as it was before the first.
  cover() {
    this.wasRevealed = 0;
    if (!this.step.covered || !this.frame) return;
    this.frame.isRevealed = false;
    this.frame.headline.show(false);
    this.frame.element.contentWindow?.attentionLabCovers?.coverAgain();
    this.player.tell();
  }

  close() {
    clearTimeout(this.hall.timer);
    this.hall.channel.close();
    delete window.attentionLabRoom;
    document.removeEventListener("act", this.act, { capture: true });
  }
}
