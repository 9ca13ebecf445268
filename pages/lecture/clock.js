// The time of day, and the time since the lecture began, which can be paused and reset. This tab keeps it, so it goes on
// after a reload.
const twoDigits = (number) => String(number).padStart(2, "0");

function spelt(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:` : ""}${hours ? twoDigits(minutes) : minutes}:${twoDigits(seconds % 60)}`;
}

class Clock {
  constructor(name) {
    this.kept = `attention-lab-clock ${name}`;
    this.recall();
    this.write();
    this.root = made("div", "clock");
    this.time = made("span", "time");
    this.elapsed = made("span", "elapsed");
    this.pause = Object.assign(made("button"), { type: "button", onclick: () => this.toggle() });
    const reset = Object.assign(made("button", "", "Reset"), { type: "button", onclick: () => this.begin() });
    this.root.append(this.time, this.elapsed, this.pause, reset);
    this.timer = setInterval(() => this.show(), 250);
    this.show();
  }

  // `before` has the milliseconds up to the last pause; `since` is the time when it went on, or null.
  recall() {
    try {
      const { before, since } = JSON.parse(sessionStorage.getItem(this.kept));
      Object.assign(this, { before: Number(before) || 0, since: since === null ? null : Number(since) });
    } catch {
      Object.assign(this, { before: 0, since: Date.now() });
    }
  }

  write() {
    try {
      sessionStorage.setItem(this.kept, JSON.stringify({ before: this.before, since: this.since }));
    } catch { /* it lasts as long as the page */ }
  }

  keep() {
    this.write();
    this.show();
  }

  get milliseconds() {
    return this.before + (this.since === null ? 0 : Date.now() - this.since);
  }

  toggle() {
    Object.assign(this, this.since === null ? { since: Date.now() } : { before: this.milliseconds, since: null });
    this.keep();
  }

  begin() {
    Object.assign(this, { before: 0, since: this.since === null ? null : Date.now() });
    this.keep();
  }

  show() {
    const now = new Date();
    this.time.textContent = `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}`;
    this.elapsed.textContent = spelt(this.milliseconds);
    this.pause.textContent = this.since === null ? "Go on" : "Pause";
  }
}
