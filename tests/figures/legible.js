// What is wrong with the lines of text of a sheet that this page shows, each in words.
(least) => {
  const ASCENT = 0.72, DESCENT = 0.2; // of letters, in em; signs that reach further are rare
  const TOLERANCE = 1.5; // pixels that a line may reach beyond a box, and into another line
  const sheet = document.querySelector("svg");

  const onScreen = (node, x, y) => {
    const { a, b, c, d, e, f } = node.getScreenCTM();
    return [a * x + c * y + e, b * x + d * y + f];
  };

  // The lines of a text: characters on one baseline, as the four corners that they have on the screen.
  const linesOf = (text) => {
    const lines = [];
    const characters = [...Array(text.getNumberOfChars()).keys()];
    const m = text.getScreenCTM(), scale = Math.sqrt(Math.abs(m.a * m.d - m.b * m.c));
    for (const at of characters) {
      const start = text.getStartPositionOfChar(at), end = text.getEndPositionOfChar(at);
      const last = lines.at(-1);
      if (last && Math.abs(last.y - start.y) < 0.6 * last.size && start.x >= last.right - 0.6 * last.size) last.right = Math.max(last.right, end.x);
      else lines.push({ left: start.x, right: end.x, y: start.y, size: sizeAt(text, at), said: "" });
      lines.at(-1).said += text.textContent[at] ?? "";
    }
    return lines.filter(({ said, left, right }) => said.trim() && right > left).map(({ left, right, y, size, said }) => {
      const [top, bottom] = [y - ASCENT * size, y + DESCENT * size];
      const corners = [[left, top], [right, top], [right, bottom], [left, bottom]].map(([x, at]) => onScreen(text, x, at));
      return { said: said.trim(), corners, size: size * scale, text };
    });
  };

  // The size of type of a character, which may stand in a part of its text.
  const sizeAt = (text, at) => {
    let left = at;
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (left < walker.currentNode.length) return Number.parseFloat(getComputedStyle(walker.currentNode.parentElement).fontSize);
      left -= walker.currentNode.length;
    }
    return Number.parseFloat(getComputedStyle(text).fontSize);
  };

  const isSeen = (node) => {
    for (let one = node; one instanceof Element; one = one.parentElement) {
      const { display, visibility, opacity } = getComputedStyle(one);
      if (display === "none" || visibility === "hidden" || opacity === "0" || one.tagName === "defs") return false;
    }
    return true;
  };

  // By how many pixels two boxes lie in each other, along the direction in which they do least: 0 where apart.
  const overlap = (one, other) => {
    const depth = [one, other].flatMap((box) => [0, 1].map((side) => {
      const [x, y] = [box[side + 1][0] - box[side][0], box[side + 1][1] - box[side][1]];
      const length = Math.hypot(x, y) || 1;
      const along = (corners) => corners.map(([cx, cy]) => (cx * x + cy * y) / length);
      const [p, q] = [along(one), along(other)];
      return Math.min(Math.max(...p), Math.max(...q)) - Math.max(Math.min(...p), Math.min(...q));
    }));
    return Math.max(0, Math.min(...depth));
  };

  const outside = (corners, box) => Math.max(...corners.map(([x, y]) => Math.max(box.left - x, x - box.right, box.top - y, y - box.bottom)));

  const texts = [...sheet.querySelectorAll("text")].filter((text) => text.textContent.trim() && isSeen(text));
  const lines = texts.flatMap(linesOf);
  const found = [];
  const boxes = [sheet, ...sheet.querySelectorAll("svg")];
  for (const { said, corners, size, text } of lines) {
    for (const box of boxes.filter((one) => one.contains(text))) {
      const [w, h] = box === sheet ? [sheet.width.baseVal.value, sheet.height.baseVal.value] : [box.width.baseVal.value, box.height.baseVal.value];
      const [left, top] = box === sheet ? [0, 0] : onScreen(box.parentElement, box.x.baseVal.value, box.y.baseVal.value);
      const by = outside(corners, { left, top, right: left + w, bottom: top + h });
      if (by > TOLERANCE) { found.push(`“${said}” is ${by.toFixed(1)} px outside`); break; }
    }
    if (size < 0.97 * least && !isLowered(text, said)) found.push(`“${said}” is ${size.toFixed(1)} px high, not ${least.toFixed(1)}`);
  }
  function isLowered(text, said) { return said.length === 1 && text.querySelector("tspan[dy]"); }
  for (let i = 0; i < lines.length; i++) {
    for (let j = i + 1; j < lines.length; j++) {
      if (lines[i].text === lines[j].text && lines[i].said === lines[j].said) continue;
      const by = overlap(lines[i].corners, lines[j].corners);
      if (by > TOLERANCE * (isSign(lines[i]) || isSign(lines[j]) ? 2 : 1) && !isHalo(lines[i], lines[j])) found.push(`“${lines[i].said}” and “${lines[j].said}” overlap by ${by.toFixed(1)} px`);
    }
  }
  // An arrow or a point has little ink in its line.
  function isSign({ said }) { return /^[→←↓↑·.,=+−]$/.test(said); }
  // The same line twice at one place: below the second one is its rim.
  function isHalo(one, other) {
    return one.said === other.said && Math.hypot(one.corners[0][0] - other.corners[0][0], one.corners[0][1] - other.corners[0][1]) < 1;
  }
  return found;
}
