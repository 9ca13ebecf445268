// The frames of a lecture: the current step, the step before and the step after, each its own page. All frames have the
// size of the window, so that figures are drawn for it. Hidden frames are behind the others, and take no focus. Each frame
// remembers the prepared settings of its page, because the step's own sentence and answer hold only for them.
const UNLABELLED = ["by_hand", "cells", "edit"]; // parameters without a label, which are not among the settings

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

  // The frame of a step, counted from 1; made now if there is none.
  of(at) {
    if (!this.made.has(at)) this.made.set(at, this.make(at));
    return this.made.get(at);
  }

  // Each step gets a new element: another address in an old one would add an entry to the browser's history.
  make(at) {
    const element = document.createElement("iframe");
    const { link, isRevealed, isUncovered, prepared = null } = this.left.get(at) ?? this.steps[at - 1];
    Object.assign(element, { src: window.attentionLabAddress(link), title: `Step ${at}`, inert: true });
    const headline = new Headline(this.steps[at - 1]);
    const root = made("section", "step behind");
    root.append(headline.root, element);
    const frame = {
      at, element, root, headline, isRevealed: Boolean(isRevealed), isUncovered: Boolean(isUncovered), prepared,
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
        revealAgain(); // on a busy machine the cover may come late
        frame.isReady = true;
        if (!prepared && !frame.isTouched) frame.prepared = situationIn(element); // a cold page may be drawn twice
        this.keepPicture(frame);
        frame.setReady();
      },
    );
    return frame;
  }

  // Shows a step. The page of the step before stays, so its changes are still there when the lecture comes back.
  show(at) {
    const frame = this.of(at);
    const before = this.shown;
    if (before && this.made.get(before.at) !== before) this.remove(before);
    else if (before && before !== frame) this.put(before, true);
    this.put(frame, false);
    this.shown = frame;
    this.leaveAllBut(at);
  }

  // Removes pages that a fast lecturer has passed, because they would take the processor from this one.
  leaveAllBut(at) {
    for (const [step, other] of this.made) if (Math.abs(step - at) > 1 && other !== this.shown) this.leave(other);
  }

  // Puts a frame behind the others or in front. It is covered before it becomes visible; behind, its controls are folded.
  put(frame, isBehind) {
    const { element, root } = frame;
    element.inert = isBehind;
    root.classList.toggle("behind", isBehind);
    if (isBehind && element.contentDocument?.documentElement.dataset.controls) this.perform(frame, "controls");
    element.contentWindow?.attentionLabCovers?.show();
  }

  // Removes a page and keeps its address, which has all its changes.
  leave(frame) {
    this.remember(frame);
    this.remove(frame);
  }

  remember({ at, element, isReady, isRevealed, isUncovered, prepared }) {
    if (isReady) this.left.set(at, { link: element.contentWindow.location.href, isRevealed, isUncovered, prepared });
  }

  // Makes a step anew as it was prepared, still revealed if the lecturer revealed it. The old page stays visible until the
  // new one is drawn.
  restore(at) {
    const before = this.made.get(at);
    this.left.delete(at);
    if (!before) return;
    if (before.isRevealed && !before.isUncovered) this.left.set(at, { link: this.steps[at - 1].link, isRevealed: true });
    if (before === this.shown) this.made.delete(at);
    else this.remove(before);
  }

  remove(frame) {
    frame.giveUp();
    frame.root.remove();
    if (this.made.get(frame.at) === frame) this.made.delete(frame.at);
  }

  // Performs the act of a key on a page. Returns whether the page has used it.
  perform(frame, act) {
    const done = Boolean(frame.element.contentWindow?.attentionLabPerform?.(act));
    if (act === "reveal") frame.isRevealed ||= done;
    else frame.isTouched = true;
    frame.headline.show(frame.isRevealed);
    return done;
  }

  // Reveals a covered step as soon as its page is ready. Returns whether the step has to wait.
  revealLater() {
    const { at, isReady, isRevealed } = this.shown;
    const isTooEarly = Boolean(this.steps[at - 1].covered) && !isReady && !isRevealed;
    if (isTooEarly) this.shown.isRevealed = true;
    return isTooEarly;
  }

  // A search has opened the view of a covered step without its cover.
  uncover(frame) {
    if (frame.isRevealed) return;
    Object.assign(frame, { isRevealed: true, isUncovered: true });
    frame.headline.show(true);
  }

  // Keeps the small picture of a prepared step, without its cover.
  keepPicture(frame) {
    const { source, covered } = this.steps[frame.at - 1];
    const isPlain = !covered || frame.isRevealed || frame.element.inert;
    if (isPlain && !this.left.has(frame.at)) keepPicture(source, frame.element, this.theme());
  }

  // Whether the page of a step was changed. If so, its title and sentence are the view's question and headline.
  isChanged(frame) {
    const { headline, element, isPrepared } = frame;
    const page = element.contentDocument;
    const { searchParams } = new URL(page?.location.href ?? location.href);
    if (!isPrepared && !searchParams.has("cover")) this.uncover(frame);
    const viewHeadline = searchParams.has("unsaid") ? viewHeadlineIn(page) : null; // otherwise the page shows it
    headline.follow(isPrepared, viewHeadline, page?.querySelector(".st-key-page_question h1")?.textContent ?? "");
    return !isPrepared;
  }

  // Whether the page shows another view than the step's.
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
