// The entries of the open stage. An entry under the pointer shows its calculation, and some entries can be changed.
class Entries {
  // `say` shows a line of text, and `send` sends a changed entry. `firstRow` is the word of the first row. If `explains` is
  // set, the largest entry of a single row shows its calculation without being pointed at.
  constructor(stage, figures, { say, send, firstRow, largest, explains }) {
    Object.assign(this, { stage, figures, say, send, firstRow, largest, editing: null });
    this.explains = explains && stage.result.rows.length === 1 && stage.operands.length > 0;
    this.operands = figures.slice(0, -1);
    this.result = figures.at(-1);
    for (const figure of figures) for (const cell of this.cells(figure)) this.watch(figure, cell);
  }

  cells(figure) {
    return [...figure.querySelectorAll("td[data-row]")];
  }

  place(cell) {
    return [Number(cell.dataset.row), Number(cell.dataset.column)];
  }

  watch(figure, cell) {
    const changeable = figure === this.result && this.stage.changeable;
    cell.onpointerenter = () => { if (!this.editing) this.show(figure, cell); };
    cell.onpointerleave = () => { if (!this.editing) this.dark(); };
    cell.onfocus = () => { this.makeOnlyStop(figure, cell); this.show(figure, cell); };
    cell.onblur = () => this.dark();
    cell.onkeydown = (event) => this.follow(event, figure, cell, changeable);
    if (changeable) cell.onclick = () => this.edit(cell);
  }

  light(figure, isLit) {
    for (const cell of this.cells(figure)) cell.classList.toggle("lit", isLit(...this.place(cell)));
    figure.classList.add("lighting");
  }

  clear() {
    for (const figure of this.figures) {
      figure.classList.remove("lighting");
      for (const cell of this.cells(figure)) cell.classList.remove("lit");
    }
  }

  // Without a pointer: the hint, or the calculation of the largest entry. All entries stay equally legible.
  dark() {
    this.clear();
    if (!this.explains) return this.say(this.stage.hint);
    const [values] = this.stage.result.values;
    this.showOrigin(0, values.indexOf(Math.max(...values.filter((value) => value !== null))));
    for (const figure of this.figures) figure.classList.remove("lighting");
  }

  show(figure, cell) {
    this.clear();
    if (figure === this.result) this.showOrigin(...this.place(cell));
    else this.showUse(this.operands.indexOf(figure), ...this.place(cell));
  }

  showOrigin(row, column) {
    for (const [at, figure] of this.operands.entries()) {
      this.light(figure, (r, c) => needs(this.stage, this.stage.operands[at], row, column, r, c));
    }
    this.light(this.result, (r, c) => r === row && c === column);
    this.say(explained(this.stage, row, column));
  }

  showUse(at, row, column) {
    const operand = this.stage.operands[at];
    this.light(this.result, (r, c) => needs(this.stage, operand, r, c, row, column));
    this.light(this.operands[at], (r, c) => r === row && c === column);
    const name = `${operand.name} (${operand.rows[row] || "every word"}, ${operand.columns[column]})`;
    this.say(`${name} = ${digits(operand.values[row][column])} goes into the entries of ${this.stage.symbol} that are lit.`);
  }

  // The Tab key stops once at each matrix; the arrow keys move inside it.
  makeOnlyStop(figure, cell) {
    for (const other of figure.querySelectorAll("td[tabindex='0']")) other.setAttribute("tabindex", -1);
    cell.setAttribute("tabindex", 0);
  }

  follow(event, figure, cell, changeable) {
    if (event.target !== cell) return;
    const [row, column] = this.place(cell);
    const next = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1] }[event.key];
    if (next) {
      event.preventDefault();
      figure.querySelector(`td[data-row="${next[0]}"][data-column="${next[1]}"]`)?.focus();
    } else if (changeable && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.edit(cell);
    }
  }

  // A box in the cell: Enter sends its number; Escape, or leaving the box, changes nothing.
  edit(cell) {
    if (this.editing) return;
    const [row, column] = this.place(cell);
    const { symbol, result } = this.stage;
    const label = `New value of ${symbol} (${result.rows[row]}, ${result.columns[column]})`;
    const box = element("input", { type: "text", inputmode: "decimal", "aria-label": label, maxlength: 9 });
    const before = cell.textContent;
    box.value = digits(result.values[row][column]).replace("−", "-");
    const leave = (text) => {
      this.editing = null;
      cell.textContent = text;
    };
    box.onblur = () => { if (this.editing === box) leave(before); };
    box.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Escape") { leave(before); cell.focus(); }
      if (event.key !== "Enter") return;
      const value = this.entered(box.value);
      if (value === null) return this.say(`Type a number from −${this.largest} to ${this.largest}.`);
      leave(digits(value));
      this.send({ matrix: this.stage.changeable, row: row + this.firstRow, column, value });
    };
    this.editing = box;
    cell.replaceChildren(box);
    box.focus();
    box.select();
  }

  entered(text) {
    const value = Number(text.trim().replace("−", "-").replace(",", "."));
    return text.trim() && Number.isFinite(value) && Math.abs(value) <= this.largest ? value : null;
  }
}
