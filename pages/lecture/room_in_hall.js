// The room in the window of the hall. One key asks the question of a step on all phones, and goes back. Before the reveal
// it fills the window; then the answers are beside the picture. ROOM has the scripts of pages/browser/questions.
const HOW_AGAIN = { view: "Press Q to ask again. To compare, change a switch (H) first.", slide: "Press Q to ask again." };
const COMES_BACK = "The room is hidden: press Q to bring it back.";

class RoomInHall {
  // `player` has the steps, the current page, and its acts.
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
    document.addEventListener("act", this.act, { capture: true }); // before the player, which would go to the next step
  }

  // The subject of the current step's rounds.
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
    if (this.player.overview.isOpen || this.player.isOver) return; // they cover the room
    if (act === "restore" && !this.host.hidden) this.hide();
    if (act === "room") {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.toggle();
    }
    if (!["reveal", "next"].includes(act) || !this.rounds.length || !this.hall.isLive) return;
    this.hall.send("reveal"); // on phones, too; the player reveals the picture
    const isCovered = this.step.covered && !this.frame?.isRevealed;
    if (isCovered) return;
    event.preventDefault(); // nothing else to reveal, and the step stays
    event.stopImmediatePropagation();
  }

  toggle() {
    if (!this.rounds.length) return this.ask();
    if (this.player.foot.note.textContent === COMES_BACK) this.say("");
    this.isHidden = !this.isHidden;
    this.show();
  }

  // Restores the prepared step, without the room.
  hide() {
    this.isHidden = true;
    this.show();
    this.say(COMES_BACK);
  }

  // Asks the step's own question, or a question of its view: the same as before, if the view still has it. If the page is
  // still being drawn, this waits until its switches are known. The view computes the answer to its own question, so only
  // a step's question can be asked without the switches that it was prepared for.
  ask(at = this.asked?.at ?? 0) {
    const offered = this.player.page?.defaultView.attentionLabOffered;
    const { frame, place } = this;
    if (!offered && frame && !frame.isReady) return frame.ready.then(() => this.place === place && !this.rounds.length && this.ask(at));
    const isSame = this.asked?.place === this.place && this.asked.at === at;
    const same = isSame ? (offered?.questions.findIndex(({ text }) => text === this.asked.text) ?? -1) : -1;
    const own = this.step.room[0];
    const question = own ?? offered?.sealed[same < 0 ? at : same] ?? offered?.sealed[0];
    if (!question) return this.say("This step has no question for the room.");
    if (!question.seal) return this.say("This server cannot keep rooms.");
    this.isHidden = false;
    this.hall.recall();
    this.hall.ask(question, `${this.place} ${at}`, offered?.situation, !own || (this.frame?.isPrepared ?? true));
  }

  say(text) {
    this.player.foot.note.textContent = text;
  }

  // The step has changed, or the room has news.
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

  // If the answers of the hall are revealed, so is the picture, also after a reload.
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
