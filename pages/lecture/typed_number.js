// Keys that lead to a step: digits and Enter, Home and End, and the arrows and Enter in the overview.
const FORGETS = 4000; // ms after which digits are forgotten

class TypedNumber {
  constructor(player) {
    Object.assign(this, { player, digits: "", timer: 0 });
  }

  // Returns whether the key was one of these.
  press(key) {
    const { player } = this;
    const { overview, steps } = player;
    if (/^\d$/u.test(key)) return this.set(`${this.digits}${key}`.slice(-3));
    if (key === "Enter" && this.digits) {
      const at = Number(this.digits);
      this.set("");
      overview.close();
      player.go(at);
      return true;
    }
    if (key === "Backspace" && this.digits) return this.set(this.digits.slice(0, -1));
    if (overview.isOpen) return this.inOverview(key);
    if (key === "Home" || key === "End") {
      player.go(key === "Home" ? 1 : steps.length);
      return true;
    }
    return false;
  }

  inOverview(key) {
    const { overview, steps } = this.player;
    const by = { ArrowUp: -overview.columns, ArrowDown: overview.columns }[key];
    if (by) overview.choose(overview.chosen + by);
    else if (key === "Home" || key === "End") overview.choose(key === "Home" ? 1 : steps.length);
    else if (key === "Enter") overview.take(overview.chosen);
    else return false;
    return true;
  }

  set(digits) {
    clearTimeout(this.timer);
    this.digits = digits;
    if (digits) this.timer = setTimeout(() => this.set(""), FORGETS);
    this.player.foot.say(this.player);
    return true;
  }
}
