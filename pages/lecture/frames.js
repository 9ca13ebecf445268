// The frames of a lecture: the step shown, the one before it and the one after it, each a page of its own. All have the
// size of the window, so that figures are drawn for it; what is not shown lies behind, and nothing in it takes the focus.
class Frames {
  constructor(name, steps, host) {
    const kept = `attention-lab-steps ${name}`;
    const left = new Map(window.attentionLabReload.read(kept));
    Object.assign(this, { steps, host, shown: null, made: new Map(), left });
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
    const { link, isRevealed } = this.left.get(at) ?? this.steps[at - 1];
    Object.assign(element, { src: window.attentionLabAddress(link), title: `Step ${at}: ${this.steps[at - 1].title}`, inert: true });
    const frame = { at, element, isRevealed: Boolean(isRevealed) };
    this.host.append(element);
    frame.drawn = new Promise((resolve) => { frame.setDrawn = resolve; });
    frame.ready = new Promise((resolve) => { frame.setReady = resolve; });
    frame.giveUp = whenDrawn(
      element,
      () => {
        if (frame.isRevealed) this.perform(frame, "reveal");
        frame.setDrawn();
      },
      () => {
        frame.isReady = true;
        frame.setReady();
      },
    );
    return frame;
  }

  // Its page stays where it is: what was changed on it is there again when the lecture comes back to it.
  show(at) {
    const frame = this.of(at);
    if (this.shown && this.shown !== frame) this.put(this.shown, true);
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
    const { element } = frame;
    element.inert = isBehind;
    if (isBehind && element.contentDocument?.documentElement.dataset.controls) this.perform(frame, "controls");
    element.contentWindow?.attentionLabCovers?.show();
  }

  // Of a page that is left for good its address is kept, which says all that was changed on it.
  leave(frame) {
    this.remember(frame);
    this.remove(frame);
  }

  remember({ at, element, isReady, isRevealed }) {
    if (isReady) this.left.set(at, { link: element.contentWindow.location.href, isRevealed });
  }

  // Make a step anew, as the lecture has it.
  prepare(at) {
    if (this.made.has(at)) this.remove(this.made.get(at));
    this.left.delete(at);
    this.shown = null;
  }

  remove(frame) {
    frame.giveUp();
    frame.element.remove();
    this.made.delete(frame.at);
  }

  // Have a page do what a key asks for; whether it did.
  perform(frame, act) {
    const done = Boolean(frame.element.contentWindow?.attentionLabPerform?.(act));
    if (act === "reveal") frame.isRevealed ||= done;
    return done;
  }
}
