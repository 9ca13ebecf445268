// The frames of a lecture: the step shown, the one before it and the one after it, each a page of its own. All have the
// size of the window, so that figures are drawn for it; what is not shown lies behind, and nothing in it takes the focus.
// Each keeps how its page was set when it came as the lecture has it: the step's own sentence and answer hold for that
// alone.
const UNLABELLED = ["by_hand", "cells", "edit"]; // parameters of a picture that no setting has, since they have no label

const situationIn = ({ contentWindow }) => {
  const offered = contentWindow?.attentionLabOffered;
  const { searchParams } = new URL(contentWindow?.location.href ?? location.href);
  return offered ? JSON.stringify([offered.settings, offered.sentences, UNLABELLED.map((name) => searchParams.getAll(name))]) : null;
};

class Frames {
  constructor(name, steps, host, theme) {
    const kept = `attention-lab-steps ${name}`;
    const left = new Map(window.attentionLabReload.read(kept));
    Object.assign(this, { steps, host, theme, shown: null, made: new Map(), left });
    addEventListener("pagehide", () => {
      for (const frame of this.made.values()) this.remember(frame);
      window.attentionLabReload.write(kept, [...this.left]);
    });
  }

  // The frame of a step, counted from 1; made now where there is none.
  of(at) {
    if (!this.made.has(at)) this.made.set(at, this.make(at));
    return this.made.get(at);
  }

  // A new element for each: one that was given another address would make a step in the browser's history.
  make(at) {
    const element = document.createElement("iframe");
    const { link, isRevealed, prepared = null } = this.left.get(at) ?? this.steps[at - 1];
    Object.assign(element, { src: window.attentionLabAddress(link), title: `Step ${at}`, inert: true });
    const headline = new Headline(this.steps[at - 1]);
    const root = made("section", "step behind");
    root.append(headline.root, element);
    const frame = {
      at, element, root, headline, isRevealed: Boolean(isRevealed), prepared,
      get isPrepared() { return this.prepared === null || this.prepared === situationIn(element); },
    };
    headline.show(frame.isRevealed);
    this.host.append(root);
    const revealAgain = () => frame.isRevealed && this.perform(frame, "reveal");
    const touch = () => { frame.isTouched = true; };
    frame.drawn = new Promise((resolve) => { frame.setDrawn = resolve; });
    frame.ready = new Promise((resolve) => { frame.setReady = resolve; });
    frame.giveUp = whenDrawn(
      element,
      () => {
        revealAgain();
        frame.prepared ??= situationIn(element);
        for (const kind of ["pointerdown", "keydown"]) element.contentWindow.addEventListener(kind, touch, true);
        frame.setDrawn();
      },
      () => {
        revealAgain(); // on a busy machine the plate may come late
        frame.isReady = true;
        if (!prepared && !frame.isTouched) frame.prepared = situationIn(element); // a cold page may be drawn twice
        this.keepPicture(frame);
        frame.setReady();
      },
    );
    return frame;
  }

  // Its page stays where it is: what was changed on it is there again when the lecture comes back to it.
  show(at) {
    const frame = this.of(at);
    const before = this.shown;
    if (before && this.made.get(before.at) !== before) this.remove(before);
    else if (before && before !== frame) this.put(before, true);
    this.put(frame, false);
    this.shown = frame;
    this.leaveAllBut(at);
  }

  // Who goes on before a page is drawn does not wait for those passed by: they would take the processor from this one.
  leaveAllBut(at) {
    for (const [step, other] of this.made) if (Math.abs(step - at) > 1 && other !== this.shown) this.leave(other);
  }

  // Behind the others, or in sight: what is covered there must be so before anybody sees it, and its controls are folded.
  put(frame, isBehind) {
    const { element, root } = frame;
    element.inert = isBehind;
    root.classList.toggle("behind", isBehind);
    if (isBehind && element.contentDocument?.documentElement.dataset.controls) this.perform(frame, "controls");
    element.contentWindow?.attentionLabCovers?.show();
  }

  // Of a page that is left for good its address is kept, which says all that was changed on it.
  leave(frame) {
    this.remember(frame);
    this.remove(frame);
  }

  remember({ at, element, isReady, isRevealed, prepared }) {
    if (isReady) this.left.set(at, { link: element.contentWindow.location.href, isRevealed, prepared });
  }

  // Make a step anew, as the lecture has it, revealed if it was. What is in sight stays until the new page is drawn.
  prepare(at) {
    const before = this.made.get(at);
    this.left.delete(at);
    if (!before) return;
    if (before.isRevealed) this.left.set(at, { link: this.steps[at - 1].link, isRevealed: true });
    if (before === this.shown) this.made.delete(at);
    else this.remove(before);
  }

  remove(frame) {
    frame.giveUp();
    frame.root.remove();
    if (this.made.get(frame.at) === frame) this.made.delete(frame.at);
  }

  // Have a page do what a key asks for; whether it did.
  perform(frame, act) {
    const done = Boolean(frame.element.contentWindow?.attentionLabPerform?.(act));
    if (act === "reveal") frame.isRevealed ||= done;
    else frame.isTouched = true;
    frame.headline.show(frame.isRevealed);
    return done;
  }

  // Have a covered step that is in sight before its page is ready revealed once it is; whether it is such a step.
  revealLater() {
    const { at, isReady, isRevealed } = this.shown;
    const isTooEarly = Boolean(this.steps[at - 1].covered) && !isReady && !isRevealed;
    if (isTooEarly) this.shown.isRevealed = true;
    return isTooEarly;
  }

  // The search has brought the view of a covered step without its cover.
  uncover(frame) {
    if (frame.isRevealed) return;
    frame.isRevealed = true;
    frame.headline.show(true);
  }

  // The small picture of a step as it was prepared, without its cover.
  keepPicture(frame) {
    const { source, covered } = this.steps[frame.at - 1];
    const isPlain = !covered || frame.isRevealed || frame.element.inert;
    if (isPlain && !this.left.has(frame.at)) keepPicture(source, frame.element, this.theme());
  }

  // Whether somebody has changed the page of a step; its headline says then the question and the sentence of the view.
  isChanged(frame) {
    const { headline, element, isPrepared } = frame;
    const page = element.contentDocument;
    const { searchParams } = new URL(page?.location.href ?? location.href);
    if (!isPrepared && !searchParams.has("cover")) this.uncover(frame);
    const answer = searchParams.has("unsaid") ? answerIn(page) : null; // else the page shows it
    headline.follow(isPrepared, answer, page?.querySelector(".st-key-page_question h1")?.textContent ?? "");
    return !isPrepared;
  }

  // Whether somebody has left the view of the step for another one.
  isAway({ at, element, root }) {
    const { href } = element.contentWindow?.location ?? {};
    if (!href?.startsWith("http")) return false;
    const { first } = this.steps[at - 1];
    const viewOf = (address) => {
      const { pathname, searchParams } = new URL(address, location.href);
      return `${pathname.replace(/\/$/u, "")} ${searchParams.get("view") || first}`;
    };
    const isAway = viewOf(href) !== viewOf(window.attentionLabAddress(this.steps[at - 1].link));
    root.classList.toggle("away", isAway);
    return isAway;
  }
}
