// All stages of a head as small pictures, with one open below with every number. Opening a stage and pointing at an
// entry happen in the browser; the server hears of the stage afterwards. Typed text is set as text, never as markup.
const LONGEST_REST = 3000; // ms before a request is repeated
const MOST_ASKED = 3; // requests for one stage
const MENU = "st-key-stage"; // the menu of the stages, a Streamlit widget
const STEP = 2800; // ms for which a stage stays open while playing
const SMALLEST = 31; // narrowest cell in pixels
const ON_PAGE = { cell: 54, type: 16, word: 14, share: 0.34 }; // largest cell, numbers, words; numbers in cells
const IN_HALL = { cell: 76, type: 22, word: 17, row: 44, share: 0.34 }; // and the height of a row
const ALONE = { cell: 110, type: 30, word: 20, row: 72, share: 0.44 }; // a stage without the strip
const LOWEST_ROW = 1.3; // height of a row in a hall, in em of its numbers at least
const FOOT = 34; // pixels in a hall below the line that explains an entry
const SIGN = 34; // room for a sign between two matrices
const BESIDE = 12; // room on both sides of a small picture's name, with the gap to the next

class Strip {
  constructor(root) {
    this.root = root;
    this.frame = element("div", { class: "steps", role: "group" });
    root.append(this.frame);
    this.timer = null;
    this.asked = null;
    this.question = Date.now();
    this.chosen = false;
    this.echoes = 0;
    this.onAct = (event) => this.follow(event);
    this.onPress = (event) => this.touch(event);
    this.width = 0;
    this.observer = new ResizeObserver(() => {
      if (Math.abs(this.frame.clientWidth - this.width) > 8 && !this.root.querySelector("input")) this.draw();
    });
  }

  listen() {
    document.addEventListener("act", this.onAct);
    for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, this.onPress, true);
    this.observer.observe(this.frame);
  }

  rest() {
    document.removeEventListener("act", this.onAct);
    for (const press of ["pointerdown", "keydown"]) document.removeEventListener(press, this.onPress, true);
    this.observer.disconnect();
  }

  // The visitor uses the menu, so the next stage of the server may be a choice there.
  touch(event) {
    if (event.composedPath().some((node) => node.classList?.contains(MENU))) this.chosen = true;
  }

  // The stage of the server counts, unless a stage was opened here that it has not confirmed. After it has gone back to
  // another address, its stage always counts.
  update(data, send) {
    this.send = send;
    // These fields change with the open stage; they alone need no new drawing.
    const { stage, heard, restored, alt, ...rest } = data;
    const drawn = JSON.stringify(rest);
    const before = this.open;
    const former = this.data?.stages ?? [];
    this.data = data;
    if (restored) this.forgetQuestion();
    if (this.asked === null && (restored || !this.isEcho(stage, heard))) this.open = stage;
    if (!restored) this.open = this.nearest(before, former);
    if (this.asked !== null) this.compare(stage, heard);
    else if (this.open !== stage) this.ask();
    if (drawn !== this.drawn || this.open !== before) this.draw();
    else this.frame.setAttribute("aria-label", alt);
    this.drawn = drawn;
  }

  // After it has confirmed a stage, the server may send an old one that nobody has chosen: a switch flipped meanwhile was
  // sent with the former value of the menu.
  isEcho(stage, heard) {
    if (this.chosen || heard !== this.question || stage === this.open || this.echoes >= MOST_ASKED) return false;
    this.echoes += 1;
    return true;
  }

  // The open stage or, if the new list does not have it, the next one of the former list. So a step from there is still
  // one step.
  nearest(before, former) {
    const has = (name) => this.data.stages.some((one) => one.name === name);
    const at = former.findIndex(({ name }) => name === before);
    const isGone = at >= 0 && !has(before);
    if (!isGone && has(this.open)) return this.open;
    const around = [...former.slice(at + 1), ...former.slice(0, Math.max(at, 0)).reverse()];
    return around.find(({ name }) => has(name))?.name ?? this.data.stages[0].name;
  }

  get at() {
    return this.data.stages.findIndex((stage) => stage.name === this.open);
  }

  go(at) {
    const stage = this.data.stages[at];
    if (!stage || stage.name === this.open) return;
    this.open = stage.name;
    this.echoes = 0;
    this.draw();
    if (this.asked === null) this.ask();
  }

  // One request at a time. If a second came before the answer to the first, the server would take it for the menu's
  // earlier stage, and the address would end one stage behind. Every request has a number, which the answer repeats.
  ask() {
    this.times = this.asked === this.open ? this.times + 1 : 1;
    this.asked = this.open;
    this.chosen = false;
    this.question += 1;
    this.send("stage", { name: this.asked, question: this.question });
    this.wait(() => this.again());
  }

  wait(act) {
    clearTimeout(this.patience);
    this.patience = setTimeout(act, LONGEST_REST);
  }

  again() {
    if (this.root.host.isConnected && this.times < MOST_ASKED) this.ask();
    else this.forgetQuestion();
  }

  forgetQuestion() {
    clearTimeout(this.patience);
    this.asked = null;
  }

  compare(stage, heard) {
    if (heard !== this.question) return; // the answer to an earlier request
    if (stage !== this.asked) {
      this.again();
      return;
    }
    this.forgetQuestion();
    if (stage !== this.open && this.root.host.isConnected) this.ask();
  }

  play() {
    if (this.timer) return this.pause();
    if (this.at === this.data.stages.length - 1) this.go(0);
    this.timer = setInterval(() => {
      if (!this.root.host.isConnected) return this.pause();
      this.go(this.at + 1);
      if (this.at === this.data.stages.length - 1) this.pause();
    }, STEP);
    this.draw();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.draw();
  }

  // Acts of the keys of the page, see browser/keys.
  follow(event) {
    const done = { back: () => this.go(this.at - 1), next: () => this.go(this.at + 1), play: () => this.play() }[event.detail];
    if (!done) return;
    event.preventDefault();
    done();
  }

  draw() {
    const focus = this.root.activeElement?.dataset.name;
    const stage = this.data.stages[this.at];
    this.width = this.frame.clientWidth;
    this.frame.setAttribute("aria-label", this.data.alt);
    this.frame.style.setProperty("--selection", this.data.colours.output);
    const equation = this.equation(stage);
    this.frame.replaceChildren(this.thumbnails(), this.heading(stage), equation, this.readout(stage));
    this.entries.dark();
    this.narrow(equation);
    if (focus) this.frame.querySelector(`[data-name="${focus}"]`)?.focus();
  }

  thumbnails() {
    const strip = element("ol", { class: "strip" });
    strip.style.gridTemplateColumns = `repeat(${this.abreast()}, minmax(0, 1fr))`;
    for (const [at, stage] of this.data.stages.entries()) {
      const item = element("li");
      const button = element("button", { type: "button", "data-name": `stage${at}`, title: stage.title });
      button.append(thumbnail(stage.result, this.data.colours, this.data.colours.line), element("span", {}, stage.short));
      button.style.setProperty("--role", this.data.colours[stage.role]);
      if (stage.result.changed?.some((row) => row.some(Boolean))) button.append(element("span", { class: "mark", title: "changed" }, "◤"));
      if (stage.name === this.open) button.setAttribute("aria-current", "step");
      button.onclick = () => this.go(at);
      item.append(button);
      strip.append(item);
    }
    return strip;
  }

  // The number of small pictures in a row: as many as their names allow, but never one alone in the last row.
  abreast() {
    const pen = element("canvas").getContext("2d");
    const { fontSize, fontFamily } = getComputedStyle(this.frame);
    pen.font = `600 ${0.85 * parseFloat(fontSize)}px ${fontFamily}`; // as in strip.css for the name of the open stage
    const names = this.data.stages.map((stage) => pen.measureText(stage.short).width);
    const fitting = Math.max(1, Math.floor((this.width || 980) / (Math.max(...names) + BESIDE)));
    return Math.ceil(names.length / Math.ceil(names.length / fitting));
  }

  heading(stage) {
    const row = element("div", { class: "heading" });
    const text = element("div");
    const title = element("h2", {}, `${this.at + 1} · ${stage.title}`);
    title.style.color = this.data.colours[stage.role];
    text.append(title, element("p", {}, stage.says));
    const buttons = element("div", { class: "buttons" });
    const add = (name, label, keys, act, off = false) => {
      const button = element("button", { type: "button", "data-name": name, "aria-keyshortcuts": keys, title: `Key: ${keys}` }, label);
      button.disabled = off;
      button.onclick = act;
      buttons.append(button);
    };
    add("back", "← Back", "ArrowLeft", () => this.go(this.at - 1), this.at === 0);
    add("play", this.timer ? "❚❚ Pause (P)" : "▶ Play (P)", "P", () => this.play());
    add("next", "Next →", "ArrowRight", () => this.go(this.at + 1), this.at === this.data.stages.length - 1);
    row.append(text, buttons);
    return row;
  }

  equation(stage) {
    const { colours } = this.data;
    const line = element("div", { class: "equation" });
    const parts = [...stage.operands, stage.result];
    this.fit(line, stage, parts);
    const figures = stage.operands.map((one) => figureOf(one, colours, colours[one.role], one.size));
    for (const [at, { before, after }] of stage.operands.entries()) line.append(term(before, figures[at], after));
    const result = figureOf({ ...stage.result, name: stage.symbol }, colours, colours[stage.role], stage.result.size);
    result.classList.add("result");
    if (stage.changeable) result.classList.add("changeable");
    line.append(term(stage.operands.length ? "=" : "", result, ""));
    for (const [at, figure] of [...figures, result].entries()) figure.classList.toggle("repeats", repeats(parts, at));
    this.entries = new Entries(stage, [...figures, result], {
      say: (text) => { this.line.replaceChildren(...raised(text)); },
      send: (change) => this.send("change", change),
      firstRow: stage.firstRow,
      largest: this.data.largest,
      explains: this.leastType > 0,
    });
    return line;
  }

  // Cells are as large as the window allows, but never too small to read.
  fit(line, stage, parts, isTogether = false) {
    this.refit = () => this.fit(line, stage, parts, true);
    line.classList.toggle("together", isTogether);
    const pen = element("canvas").getContext("2d");
    pen.font = `${this.most.word}px ${getComputedStyle(this.root.host).getPropertyValue("--st-font")}`;
    const measure = (words) => Math.max(12, ...words.map((word) => pen.measureText(shortened(word)).width));
    const named = parts.filter((_, at) => !(isTogether && repeats(parts, at)));
    const beside = named.reduce((sum, part) => sum + measure(part.rows) + 14, 0) + SIGN * parts.length;
    const columns = parts.reduce((sum, part) => sum + part.columns.length + (part.nColumns > part.columns.length ? 0.5 : 0), 0);
    const cell = Math.max(SMALLEST, Math.min(this.most.cell, ((this.width || 980) - beside) / columns));
    const words = parts.filter((part) => part.columnsAreWords).flatMap((part) => part.columns);
    const reach = words.length ? measure(words) : 0;
    this.size(line, cell);
    line.style.setProperty("--word", `${this.most.word}px`);
    line.style.setProperty("--above", `${Math.ceil(Math.max(20, reach * 0.87 + 14))}px`);
    line.style.setProperty("--rows", Math.min(...parts.map((part) => part.rows.length)));
    line.style.setProperty("--aside", `${parts.at(-1).columnsAreWords ? Math.ceil(reach * 0.5) : 2}px`);
  }

  size(line, cell) {
    this.cell = Math.floor(cell);
    line.style.setProperty("--cell", `${this.cell}px`);
    this.type = Math.max(this.leastType || 11.5, Math.min(this.most.type, cell * this.most.share));
    line.style.setProperty("--type", `${this.type}px`);
  }

  get most() {
    if (!this.leastType) return ON_PAGE;
    return this.isAlone ? ALONE : IN_HALL;
  }

  // Whether the open stage stands without the strip.
  get isAlone() {
    return getComputedStyle(this.root.host).getPropertyValue("--stage-strip").trim() === "none";
  }

  // The smallest type in a hall; 0 on a page.
  get leastType() {
    return Number.parseFloat(getComputedStyle(this.root.host).getPropertyValue("--least-type")) || 0;
  }

  // After the layout, cells become narrower until all matrices fit side by side. If that is not enough, a matrix leaves out
  // the words that a matrix before it shows.
  narrow(line) {
    if (!this.becomesNarrower(line)) {
      this.refit();
      if (!this.becomesNarrower(line)) line.classList.remove("together");
    }
    if (this.leastType) this.lower(line);
  }

  becomesNarrower(line) {
    const columns = line.querySelectorAll("thead th").length || 1;
    for (;;) {
      line.style.flexWrap = "nowrap";
      const excess = line.scrollWidth - line.clientWidth;
      line.style.flexWrap = "";
      if (excess <= 0 || this.cell <= SMALLEST) return excess <= 0;
      this.size(line, Math.max(SMALLEST, this.cell - Math.max(1, excess / columns)));
    }
  }

  // In a hall rows are high. They become lower until everything fits into the window, as long as numbers stay legible.
  // A stage without the strip stands in the middle.
  lower(line) {
    this.frame.style.paddingTop = "";
    line.style.setProperty("--row", `${this.most.row}px`);
    const box = this.frame.getBoundingClientRect(), zoom = box.width / this.frame.offsetWidth || 1;
    const rows = Math.max(...[...line.querySelectorAll("tbody")].map((body) => body.rows.length));
    const excess = (box.bottom - window.innerHeight) / zoom + FOOT;
    const row = Math.max(LOWEST_ROW * this.type, this.most.row - Math.max(0, excess) / rows);
    line.style.setProperty("--row", `${row}px`);
    if (this.isAlone) this.frame.style.paddingTop = `${Math.max(0, -excess) / 2}px`;
  }

  readout(stage) {
    const row = element("div", { class: "below" });
    row.classList.toggle("in_hall", this.leastType > 0);
    row.classList.toggle("alone", this.isAlone);
    this.line = element("p", { class: "readout", "aria-live": "polite" }, stage.hint);
    row.append(this.line);
    if (this.data.changes) {
      const reset = element("button", { type: "button", "data-name": "reset" }, `Take back ${this.data.changes}`);
      reset.onclick = () => this.send("reset", true);
      row.append(reset);
    }
    return row;
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.strip ??= new Strip(parentElement);
  const { strip } = parentElement;
  strip.update(data, setTriggerValue);
  strip.listen();
  return () => strip.rest();
}
