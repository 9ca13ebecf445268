// Numbers as digits and as colours.
const rounded = (value, places) => Number(value.toFixed(places));
const digits = (value, places = 2) => (value === null ? "−∞" : (rounded(value, places) || 0).toFixed(places).replace("-", "−"));
const factor = (value, places = 2) => (rounded(value, places) < 0 ? `(${digits(value, places)})` : digits(value, places));

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

function mixed(scale, share) {
  const above = Math.max(1, scale.findIndex(([stop]) => stop >= share));
  const [[low, from], [high, to]] = [scale[above - 1], scale[above]];
  const part = (share - low) / (high - low);
  const ends = channels(to);
  return channels(from).map((one, at) => Math.round(one + part * (ends[at] - one)));
}

function colourOf(value, grid, colours) {
  if (grid.weights) return mixed(colours.sequential, Math.min(1, Math.max(0, value)));
  return mixed(colours.diverging, Math.min(1, Math.max(0, 0.5 + value / (2 * grid.limit))));
}

function inkOn(rgb) {
  const linear = rgb.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return (light + 0.05) ** 2 > 1.05 * 0.05 ? "#000000" : "#FFFFFF";
}
