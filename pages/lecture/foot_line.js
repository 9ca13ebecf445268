// The line below the picture: the place in the lecture, and its buttons. It has its own line, so that it covers nothing
// of the picture. It never shows the title of a step, which may be the answer to a covered question.
class FootLine {
  constructor(title, press) {
    this.root = made("footer", "foot");
    this.where = made("span", "where");
    this.note = made("span", "note");
    this.note.setAttribute("role", "status");
    this.state = made("span", "state");
    const button = (text, label, act) => {
      const one = Object.assign(made("button", "", text), { type: "button", ariaLabel: label, onclick: () => press(act) });
      one.tabIndex = -1; // each has its own key, and the Tab key is for the page in the frame
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
    const back = isAway ? `Backspace: back to step ${at}` : isChanged ? "Changed · Backspace restores the prepared step" : "";
    this.state.textContent = typed.digits ? `Go to step ${typed.digits}: Enter` : back;
  }
}
