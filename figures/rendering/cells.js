// The cells of a heatmap as shapes, which are sharp at any size; Plotly draws them as pixels of a screen.
const MOST_CELLS = 20000;
const OVERLAP = 1; // pixels by which a cell reaches below the next, or paper would shine through the joint

const isClear = (colour) => /^rgba\(.*, ?0\)$/.test(colour);
const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const hex = (rgb) => `#${rgb.map((one) => one.toString(16).padStart(2, "0")).join("")}`;

// The colour of a number between the stops around it, as Plotly mixes it; null if the paper is seen.
function colourOf(value, { colorscale, zmin, zmax }) {
  const share = Math.min(1, Math.max(0, (value - zmin) / (zmax - zmin)));
  const above = Math.max(1, colorscale.findIndex(([stop]) => stop >= share));
  const [[low, from], [high, to]] = [colorscale[above - 1], colorscale[above]];
  if (isClear(share < high ? from : to)) return null;
  const part = (share - low) / (high - low || 1), ends = channels(to);
  return hex((isClear(from) ? ends : channels(from)).map((one, at) => Math.round(one + part * (ends[at] - one))));
}

// The most transparent colour that looks the same on paper: [red, green, blue, opacity].
function seeThrough(colour, paper) {
  const seen = channels(colour), below = channels(paper);
  const shares = seen.map((one, at) => (one > below[at] ? (one - below[at]) / (255 - below[at]) : (below[at] - one) / (below[at] || 1)));
  const opacity = Math.max(...shares);
  return [...seen.map((one, at) => Math.round((one - below[at]) / (opacity || 1) + below[at])), opacity];
}

// Start and length of the cells of a direction, in pixels, for an axis that runs either way.
function sides(edges, axis, gap) {
  const at = Array.from(edges, (edge) => axis.c2p(edge));
  return at.slice(1).map((end, i) => {
    const [low, high] = [Math.min(at[i], end), Math.max(at[i], end)];
    return [low + gap / 2, Math.max(high - low - gap, 0)];
  });
}

// Cells of one colour side by side are one run: [first, last, colour]; a gap is in none.
function runsOf(colours, joined) {
  const runs = [];
  for (const [at, colour] of colours.entries()) {
    if (colour === null) continue;
    const before = runs.at(-1);
    if (joined && before?.[1] === at - 1 && before[2] === colour) before[1] = at;
    else runs.push([at, at, colour]);
  }
  return runs;
}

// Rows of the same colours that meet are one band: [first, last].
function bandsOf(rows, joined) {
  const bands = [];
  for (const [at, row] of rows.entries()) {
    if (joined && at && row.every((colour, place) => colour === rows[at - 1][place])) bands.at(-1)[1] = at;
    else bands.push([at, at]);
  }
  return bands;
}

// If a paper is named, it shows through: cells are as transparent as they are pale.
function asShapes(group, layout, paper) {
  const [{ x, y, z, trace }] = group.__data__;
  const image = group.querySelector("image");
  if (!image || !z?.length) return;
  const axis = (name) => layout[`${name[0]}axis${name.slice(1)}`];
  const colours = Array.from(z, (row) => Array.from(row, (value) => (Number.isFinite(value) ? colourOf(value, trace) : null)));
  const across = sides(x, axis(trace.xaxis), trace.xgap), upwards = sides(y, axis(trace.yaxis), trace.ygap);
  const isJoined = !(trace.xgap && trace.ygap);
  // Transparent cells that overlap or meet would have seams.
  if (across.length * upwards.length > MOST_CELLS || (paper && isJoined)) asSharpImage(image, colours, across, upwards, paper);
  else image.replaceWith(...shapes(colours, across, upwards, trace, paper));
}

// From the upper left to the lower right, so that each lies above the rim of the one before.
function shapes(colours, across, upwards, { xgap, ygap }, paper) {
  const rows = [...upwards.keys()].sort((one, other) => upwards[one][0] - upwards[other][0]);
  const columns = [...across.keys()].sort((one, other) => across[one][0] - across[other][0]);
  const ordered = rows.map((row) => columns.map((column) => colours[row][column]));
  const round = (number) => Math.round(number * 100) / 100;
  const within = (length) => Math.min(OVERLAP, length); // of the next cell, which covers it
  return bandsOf(ordered, !ygap).flatMap(([upper, lower]) => runsOf(ordered[upper], !xgap).map(([first, last, colour]) => {
    const [left] = across[columns[first]], [start, length] = across[columns[last]];
    const [top] = upwards[rows[upper]], [end, height] = upwards[rows[lower]], high = end + height - top;
    const under = xgap || (ordered[upper][last + 1] ?? null) === null ? 0 : within(across[columns[last + 1]][1]);
    const isCovered = !ygap && ordered[lower + 1]?.slice(first, last + 1).every((one) => one !== null);
    const below = isCovered ? within(upwards[rows[lower + 1]][1]) : 0;
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    if (paper) {
      const [red, green, blue, opacity] = seeThrough(colour, paper);
      path.setAttribute("fill", hex([red, green, blue]));
      path.setAttribute("fill-opacity", Math.round(1000 * opacity) / 1000);
    } else path.setAttribute("fill", colour);
    path.setAttribute("d", `M${round(left)} ${round(top)}h${round(start + length - left + under)}v${round(high + below)}H${round(left)}z`);
    return path;
  }));
}

// Very many cells: a dot for each, magnified without blur.
function asSharpImage(image, colours, across, upwards, paper) {
  const rows = [...upwards.keys()].sort((one, other) => upwards[one][0] - upwards[other][0]);
  const columns = [...across.keys()].sort((one, other) => across[one][0] - across[other][0]);
  const canvas = Object.assign(document.createElement("canvas"), { width: columns.length, height: rows.length });
  const pen = canvas.getContext("2d"), dots = pen.createImageData(columns.length, rows.length);
  for (const [i, row] of rows.entries()) {
    for (const [j, column] of columns.entries()) {
      const colour = colours[row][column];
      if (colour === null) continue;
      const [red, green, blue, opacity] = paper ? seeThrough(colour, paper) : [...channels(colour), 1];
      dots.data.set([red, green, blue, Math.round(255 * opacity)], 4 * (i * columns.length + j));
    }
  }
  pen.putImageData(dots, 0, 0);
  const ends = (of, order) => [of[order[0]][0], of[order.at(-1)][0] + of[order.at(-1)][1]];
  const [[left, right], [top, bottom]] = [ends(across, columns), ends(upwards, rows)];
  const place = { x: left, y: top, width: right - left, height: bottom - top, preserveAspectRatio: "none", href: canvas.toDataURL() };
  for (const [name, value] of Object.entries(place)) image.setAttribute(name, value);
  image.removeAttribute("xlink:href");
  image.setAttribute("image-rendering", "pixelated");
  image.style.imageRendering = "pixelated";
}
