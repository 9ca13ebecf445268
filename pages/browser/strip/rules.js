// The origin of an entry of a stage: the entries that it needs, and its calculation in one line.
const TERMS = 8;

// Whether the entry (row, column) of a stage's result needs the entry (r, c) of an operand.
function needs(stage, operand, row, column, r, c) {
  if (operand.lights === "row") return r === row;
  if (operand.lights === "cell") return r === row && c === column - operand.offset;
  return stage.mixes ? stage.mixes[column].includes(c) : c === column;
}

function product(stage, row, column, places = 2) {
  const [left, right, ...added] = stage.operands;
  const terms = left.values[row].slice(0, Math.min(TERMS, right.values.length))
    .map((value, at) => `${factor(value, places)}·${factor(right.values[at][column], places)}`);
  const rest = left.nColumns - terms.length;
  const more = rest > 0 ? ` + … (${rest} more)` : "";
  const plus = added.map((one) => ` + ${factor(one.values[0][column], places)}`).join("");
  return terms.join(" + ") + more + plus;
}

// The decimals of a sum of products: three if the terms, rounded to two decimals, do not add up to the result.
function placesOf(stage, row, column) {
  const [left, right, ...added] = stage.operands, made = stage.result.computed?.[row][column] ?? stage.result.values[row][column];
  if (stage.rule !== "multiply" || left.nColumns > Math.min(TERMS, right.values.length)) return 2;
  const terms = left.values[row].map((value, at) => rounded(value, 2) * rounded(right.values[at][column], 2));
  const sum = [...terms, ...added.map((one) => rounded(one.values[0][column], 2))].reduce((total, one) => total + one, 0);
  return digits(sum) === digits(made) ? 2 : 3;
}

function partners(stage, column) {
  return stage.mixes[column].filter((other) => other !== column).map((other) => other + 1).join(", ");
}

function softmax(stage, row, column) {
  const operand = stage.operands[0], scores = operand.values[row];
  if (scores[column] === null) return "e^−∞ = 0";
  const seen = scores.filter((score) => score !== null);
  const rest = operand.nColumns > scores.length ? " + …" : "";
  return `e^${factor(scores[column])} / (${seen.map((score) => `e^${factor(score)}`).join(" + ")}${rest})`;
}

// Text with powers of e: the exponent after `e^` is raised.
function raised(text) {
  return text.split(/(?<=e)\^(\([^()\s]+\)|−∞|[−\d.]+)/).map((part, at) => at % 2 ? element("sup", {}, part) : part);
}

function normalised(stage, row, column) {
  const [x, ...learned] = stage.operands, values = x.values[row];
  const said = { gain: "the gain", bias: "the bias" };
  const more = learned.map((one) => `${one.before === "+" ? " + " : " · "}${said[one.name]} ${factor(one.values[0][column])}`);
  const divided = x.before === "RMS"
    ? `${digits(values[column])} / root mean square of the row`
    : `(${digits(values[column])} − mean of the row) / deviation of the row`;
  return `${divided}${more.join("")}`;
}

// A one-hot row has a single 1, which picks a row of the table.
function picked(stage, row, column) {
  const [w, table] = stage.operands, at = w.values[row].indexOf(1);
  const whose = at < 0 ? "the word" : w.columns[at];
  return `w is 1 at ${whose} and 0 elsewhere, so this is dimension ${stage.result.columns[column]} of the row of ${whose} in ${table.name}${table.after ? " " + table.after : ""}`;
}

const RULES = {
  given: (stage, row, column) => `the output of the layer below, dimension ${stage.result.columns[column]}`,
  pick: picked,
  add: (stage, row, column) => stage.operands.map((one) => digits(one.values[one.lights === "column" ? 0 : row][column])).join(" + "),
  divide: (stage, row, column) => `${digits(stage.operands[0].values[row][column])} ${stage.operands[0].after}`,
  join: (stage, row, column) => stage.operands.filter((one) => column >= one.offset && column < one.offset + one.nColumns)
    .map((one) => `entry ${column - one.offset + 1} of ${one.name}`).join(""),
  multiply: product,
  rotate: (stage, row, column) => `${product(stage, row, column)}, then rotated with dimension ${partners(stage, column)}`,
  softmax,
  normalise: normalised,
};

const IN_WORDS = new Set(["given", "pick", "join", "normalise", "rotate"]);

function explained(stage, row, column) {
  const { rows, columns, values } = stage.result;
  const entry = `${stage.symbol} (${rows[row]}, ${columns[column]})`;
  const places = placesOf(stage, row, column);
  const why = RULES[stage.rule](stage, row, column, places), value = digits(values[row][column], places);
  const computed = stage.result.computed?.[row][column] ?? null;
  if (computed !== null) {
    const made = IN_WORDS.has(stage.rule) ? `${digits(computed)}: ${why}` : `${why} = ${digits(computed, places)}`;
    return `${entry} is ${value}, as you set it. The matrices give ${made}`;
  }
  return IN_WORDS.has(stage.rule) ? `${entry} = ${value}: ${why}` : `${entry} = ${why} = ${value}`;
}
