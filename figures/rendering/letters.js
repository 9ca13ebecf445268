// The place of each letter of an SVG: every text as pieces of one style, with places in the pixels of the text.
() => {
  const placeOf = (text, at) => {
    const { x, y } = text.getStartPositionOfChar(at);
    return [x, y, text.getRotationOfChar(at)];
  };

  const pieceOf = (text, first, { data, parentElement }) => {
    const style = getComputedStyle(parentElement);
    return {
      text: data,
      places: Array.from({ length: data.length }, (_, i) => placeOf(text, first + i)),
      size: parseFloat(style.fontSize),
      weight: parseFloat(style.fontWeight),
      italic: style.fontStyle !== "normal",
      fill: style.fill,
      opacity: parseFloat(style.fillOpacity),
      halo: style.stroke === "none" ? null : { stroke: style.stroke, "stroke-width": style.strokeWidth, "stroke-linejoin": "round" },
    };
  };

  const piecesOf = (text) => {
    const whole = text.textContent;
    // If a space is not shown or a letter is two units long, letters and places do not match.
    if (text.getNumberOfChars() !== whole.length || [...whole].length !== whole.length) return null;
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    const pieces = [];
    for (let first = 0; walker.nextNode(); first += walker.currentNode.length)
      pieces.push(pieceOf(text, first, walker.currentNode));
    return pieces;
  };

  return [...document.querySelectorAll("body > svg text")].map(piecesOf);
};
