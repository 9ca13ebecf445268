// A matrix as a table with a colour for each number, and as a small picture.
const LONGEST_WORD = 12;
const shortened = (word) => (word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD - 1) + "…" : word);

function element(name, attributes = {}, text) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function cellOf(grid, row, column, colours) {
  const value = grid.values[row][column];
  const isHidden = value === null || grid.hidden?.[row][column];
  const text = isHidden && value === 0 ? "0" : digits(value);
  const cell = element("td", { tabindex: row || column ? -1 : 0, "data-row": row, "data-column": column }, text);
  if (isHidden) cell.className = "masked";
  else {
    const rgb = colourOf(value, grid, colours);
    cell.style.background = `rgb(${rgb})`;
    cell.style.color = inkOn(rgb);
  }
  if (grid.changed?.[row][column]) cell.classList.add("changed");
  return cell;
}

// Dots end every row of a matrix with more columns than are shown, and every column of one with more rows.
function tableOf(grid, name, colours) {
  const table = element("table", { role: "grid", "aria-label": `${name}: ${grid.nRows} rows, ${grid.nColumns} columns` });
  const heads = table.createTHead().insertRow();
  heads.append(element("td")); // an empty header would be an error for screen readers
  for (const [at, column] of grid.columns.entries()) {
    const head = element("th", { scope: "col", title: column });
    head.append(element("span", {}, shortened(column)));
    if (grid.columnsAreWords) head.className = "slanted";
    heads.append(head);
  }
  if (grid.nColumns > grid.columns.length) heads.append(element("td", { class: "more" }, "…"));
  const body = table.createTBody();
  for (const [row, label] of grid.rows.entries()) {
    const line = body.insertRow();
    line.append(element("th", { scope: "row", title: label }, shortened(label)));
    for (const column of grid.columns.keys()) line.append(cellOf(grid, row, column, colours));
    if (grid.nColumns > grid.columns.length) line.append(element("td", { class: "more" }, "…"));
  }
  if (grid.nRows > grid.rows.length) body.insertRow().append(element("td", { class: "more" }, "⋮"));
  return table;
}

function figureOf(part, colours, colour, size) {
  const figure = element("figure");
  const caption = element("figcaption", {}, part.name);
  caption.append(element("small", {}, size));
  caption.style.color = colour;
  figure.append(caption, tableOf(part, part.name, colours));
  return figure;
}

// Whether the rows of a matrix have the words of a matrix before it.
const repeats = (parts, at) => parts.slice(0, at).some(({ rows }) => rows.join("\n") === parts[at].rows.join("\n"));

// A matrix with the signs beside it, which stay together at a line break.
function term(before, figure, after) {
  const all = element("span", { class: "term" });
  if (before) all.append(sign(before));
  all.append(figure);
  if (after) all.append(sign(after));
  return all;
}

function sign(text) {
  return element("span", { class: /^[a-zA-Z]/.test(text) ? "sign named" : "sign" }, text);
}

function thumbnail(grid, colours, paper) {
  const canvas = element("canvas", { width: grid.columns.length * 8, height: grid.rows.length * 8, "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  for (const [row, values] of grid.values.entries()) {
    for (const [column, value] of values.entries()) {
      pen.fillStyle = value === null || grid.hidden?.[row][column] ? paper : `rgb(${colourOf(value, grid, colours)})`;
      pen.fillRect(column * 8, row * 8, 8, 8);
    }
  }
  return canvas;
}
