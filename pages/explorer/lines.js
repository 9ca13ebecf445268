// Two columns of words and a curve for every pair that is worth a line. Everything here happens in the
// browser: isolating a word asks nothing of the server. Words are set as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";
const COLUMN_GAP = 460;
const LEAST_GAP = 120;
const TOP = 40;
const BELOW = 8;
const MARGIN = 12;
const HEADINGS = { query: "query: attends", key: "key: attended to" };
const HEADING_SIZE = 16;
const LONGEST_WORD = 22;
const CLOSEST = 0.95; // em from one word to the next at which letters do not touch
const HIGHEST = 1000; // pixels that lines grow to

function element(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function shortened(word) {
  return word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD - 1) + "…" : word;
}

// The widest of some texts in pixels, in the bold that a chosen word takes. Scripts differ too much to guess.
function widest(texts, size, family) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `600 ${size}px ${family}`;
  return Math.max(...texts.map((text) => pen.measureText(text).width));
}

// Rows shrink with the number of words, so that a sentence fits the screen as long as it can be read. A
// column has room for its heading, too. In the large view all of that has a width and a height to fill. A saved
// figure cannot be scrolled: `whole` has all lines in it, and only as many words as have room below each other. With
// `grows`, it gets higher with more words. On a `narrow` page, given in pixels, the lines are shorter, because a
// smaller drawing would be illegible.
function measure(words, family, { room, whole, grows, narrow }) {
  const [least, most, all] = room ? [14, 64, room[1] - TOP - BELOW] : [11, 34, 560];
  const lowest = !whole ? least + 4 : grows ? Math.min(least + 4, HIGHEST / words.length) : 1;
  const row = Math.max(lowest, Math.min(most, whole ? all / words.length : Math.floor(all / words.length)));
  const size = Math.max(least, Math.min(18, row - 6));
  const heading = widest(Object.values(HEADINGS), HEADING_SIZE, family);
  const column = 20 + Math.max(heading, widest(words.map(shortened), size, family));
  const sides = 2 * (column + MARGIN);
  const gap = room ? Math.max(LEAST_GAP, room[0] - sides) : narrow ? Math.max(LEAST_GAP, narrow - sides) : COLUMN_GAP;
  const step = Math.ceil((whole ? least * CLOSEST : least + 4) / row);
  return { row, size, step, column, gap, top: TOP, width: sides + gap, value: Math.max(least, size - 3) };
}

function curve([query, key], { row, column, gap, top }) {
  const x0 = MARGIN + column, x1 = x0 + gap;
  const y0 = top + (query + 0.5) * row, y1 = top + (key + 0.5) * row;
  const bend = gap * 0.4;
  return `M${x0},${y0}C${x0 + bend},${y0} ${x1 - bend},${y1} ${x1},${y1}`;
}

function drawLines(svg, data, layout) {
  const heaviest = Math.max(3, Math.min(12, layout.row * 0.45));
  return data.lines.map(([query, key, weight]) => {
    const path = element("path", {
      d: curve([query, key], layout),
      fill: "none",
      stroke: data.colours.query,
      "stroke-width": Math.max(0.6, weight * heaviest),
      "stroke-opacity": 0.12 + 0.88 * weight,
      "stroke-linecap": "round",
    });
    svg.append(path);
    return { path, query, key, weight };
  });
}

function drawWords(svg, data, layout, side) {
  const { row, size, step, column, gap, top } = layout;
  const isQuery = side === "query";
  const x = isQuery ? MARGIN + column - 8 : MARGIN + column + gap + 8;
  const role = data.colours[side];
  const anchor = isQuery ? "end" : "start";
  const heading = { x, y: 22, fill: role, "text-anchor": anchor, "font-size": HEADING_SIZE };
  svg.append(element("text", heading, HEADINGS[side]));
  return data.words.map((word, place) => {
    const y = top + (place + 0.5) * row;
    const group = element("g", { class: "word", tabindex: place ? -1 : 0, role: "button", "aria-label": `${side} ${place + 1}: ${word}` });
    const left = isQuery ? MARGIN : x - 8;
    group.append(
      element("rect", { x: left, y: y - row / 2, width: column, height: row, rx: 3, fill: "transparent" }),
      element("text", { x, y, fill: data.colours.ink, "text-anchor": anchor, "dominant-baseline": "central", "font-size": size }, (data.words.length - 1 - place) % step ? "" : shortened(word)),
    );
    const value = element("text", {
      x: isQuery ? x + 7 : x - 7, y, fill: role, "text-anchor": isQuery ? "start" : "end",
      "dominant-baseline": "central", "font-size": layout.value, class: "value",
    }, "");
    svg.append(group, value);
    return { group, value, side, place };
  });
}

// Show the lines of one word alone, with their weights beside the words at the other end.
function isolate(chosen, lines, words) {
  for (const word of words) word.value.textContent = "";
  for (const { group } of words) group.classList.remove("chosen");
  chosen?.group.classList.add("chosen");
  for (const { path, query, key, weight } of lines) {
    const own = !chosen || (chosen.side === "query" ? query : key) === chosen.place;
    path.style.opacity = own ? 1 : 0.04;
    if (!chosen || !own) continue;
    const other = words.find((word) => word.side !== chosen.side && word.place === (chosen.side === "query" ? key : query));
    other.value.textContent = weight.toFixed(2);
  }
}

// The Tab key stops once at each side, as 256 words would hold it up; the arrow keys go on from there.
function follow(event, word, words) {
  const side = words.filter((other) => other.side === word.side);
  const next = { ArrowDown: word.place + 1, ArrowUp: word.place - 1, Home: 0, End: side.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  side[next]?.group.focus();
}

function makeOnlyStop(word, words) {
  for (const { group, side } of words) {
    if (side === word.side) group.setAttribute("tabindex", group === word.group ? 0 : -1);
  }
}

function listen(lines, words, chosen, setTriggerValue) {
  let pinned = words.find(({ side, place }) => side === chosen?.[0] && place === chosen[1]) ?? null;
  const show = (word) => isolate(word ?? pinned, lines, words);
  const pin = (word) => {
    pinned = pinned === word ? null : word;
    show(pinned);
    // The link selects the word, so that the sentence above is about it.
    setTriggerValue?.("click", { side: pinned?.side ?? "none", place: pinned?.place ?? 0 });
  };
  for (const word of words) {
    word.group.onpointerenter = () => show(word);
    word.group.onpointerleave = () => show(null);
    word.group.onfocus = () => { makeOnlyStop(word, words); show(word); };
    word.group.onblur = () => show(null);
    word.group.onclick = () => pin(word);
    word.group.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pin(word); }
      follow(event, word, words);
    };
  }
  return show;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const layout = measure(data.words, getComputedStyle(parentElement.host).getPropertyValue("--st-font"), data);
  const height = layout.top + data.words.length * layout.row + BELOW;
  const svg = element("svg", {
    viewBox: `0 0 ${layout.width} ${height}`, role: "group", "aria-label": data.alt,
    style: `max-width:${layout.width}px`,
  });
  const lines = drawLines(svg, data, layout);
  const words = [...drawWords(svg, data, layout, "query"), ...drawWords(svg, data, layout, "key")];
  const show = listen(lines, words, data.chosen, setTriggerValue);
  const focused = parentElement.activeElement?.getAttribute("aria-label");
  parentElement.querySelector("svg")?.remove();
  parentElement.append(svg);
  words.find(({ group }) => group.getAttribute("aria-label") === focused)?.group.focus();
  show(null);
}
