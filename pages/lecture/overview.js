// All steps of a lecture at once. A click, the arrows and Enter, or a number and Enter open a step. A covered step shows
// its question alone until it is revealed.
class Overview {
  constructor(player) {
    this.player = player;
    this.later = new DrawLater();
    this.root = made("div", "overview");
    this.root.hidden = true;
    Object.assign(this.root, { role: "region", ariaLabel: "All steps" });
    this.root.setAttribute("role", "region");
  }

  get isOpen() {
    return !this.root.hidden;
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  open() {
    const { steps, at } = this.player;
    const list = made("ol");
    list.append(...steps.map((step, index) => this.tile(step, index + 1)));
    const close = Object.assign(made("button", "close", "Close (Esc)"), { type: "button", onclick: () => this.close() });
    const head = made("p", "how", "A number and Enter, or the arrows and Enter, open a step.");
    this.root.replaceChildren(head, close, list);
    this.root.hidden = false;
    this.choose(at);
  }

  close() {
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  tile(step, at) {
    const isRevealed = this.player.isRevealed(at);
    const node = made("li");
    const open = Object.assign(made("button"), { type: "button", onclick: () => this.take(at) });
    const name = nameOf(step, isRevealed) || step.question || step.first;
    const image = step.covered && !isRevealed ? made("span", "without", "?") : Object.assign(made("img"), { alt: "" });
    if (image.localName === "img") this.later.show(image, step.source, window.attentionLabAddress(step.picture) || numberCard(at));
    open.append(image, made("span", "name", `${at} · ${name}`));
    node.append(open);
    return node;
  }

  choose(at) {
    const tiles = [...this.root.querySelectorAll("li")];
    this.chosen = Math.min(Math.max(at, 1), tiles.length);
    tiles.forEach((one, index) => one.classList.toggle("chosen", index + 1 === this.chosen));
    tiles[this.chosen - 1]?.scrollIntoView({ block: "nearest" });
  }

  // The number of tiles in a row.
  get columns() {
    const tops = [...this.root.querySelectorAll("li")].map((one) => one.offsetTop);
    return Math.max(1, tops.filter((top) => top === tops[0]).length);
  }

  take(at) {
    this.close();
    this.player.go(at);
  }
}
