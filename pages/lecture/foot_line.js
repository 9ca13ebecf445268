// The line below the picture: where the lecture is, and what one can press. It has a line of its own, so that it covers
// nothing of the picture. It never has the title of a step, which may be the answer to what is covered.
class FootLine {
  constructor(title, press) {
    this.root = made("footer", "foot");
    this.where = made("span", "where");
    this.note = made("span", "note");
    this.note.setAttribute("role", "status");
    this.state = made("span", "state");
    const button = (text, label, act) => {
      const one = Object.assign(made("button", "", text), { type: "button", ariaLabel: label, onclick: () => press(act) });
      one.tabIndex = -1; // each is a key, and the Tab key is for the page that is shown
      return one;
    };
    const steps = made("span", "steps");
    steps.append(button("‹", "Previous step", "back"), this.where, button("›", "Next step", "next"));
    const acts = made("span", "acts");
    acts.append(button("Presenter’s window (S)", "Presenter’s window", "presenter"), button("Keys (?)", "Keys", "help"));
    this.root.append(made("span", "title", title), this.note, this.state, acts, steps);
  }

  say({ at, steps, isOver, isAway, isChanged, typed }) {
    this.where.textContent = isOver ? "End" : `${at} / ${steps.length}`;
    const back = isAway ? `Backspace: back to step ${at}` : isChanged ? "Changed · Backspace brings the prepared step back" : "";
    this.state.textContent = typed.digits ? `Go to step ${typed.digits}: Enter` : back;
  }
}
