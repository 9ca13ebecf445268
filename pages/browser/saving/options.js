// The last options for the look of files; this browser remembers them for the next picture.
const KEPT_OPTIONS = "attention-lab-saving";
const SWITCHES = { transparent: false, title: true, qr: false };

function readOptions({ presets, themes }) {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEPT_OPTIONS) ?? "{}") ?? {};
  } catch {
    // the store is blocked, or the value is not JSON
  }
  const known = (name, all) => (all.some(([one]) => one === kept[name]) ? kept[name] : "");
  const switches = Object.entries(SWITCHES).map(([name, usual]) => [name, typeof kept[name] === "boolean" ? kept[name] : usual]);
  return { preset: known("preset", presets) || presets[0][0], theme: known("theme", themes), ...Object.fromEntries(switches) };
}

function keepOptions(options) {
  try {
    localStorage.setItem(KEPT_OPTIONS, JSON.stringify(options));
  } catch {
    // they last as long as the page
  }
}

const themeOf = ({ theme }) => theme || themeHere();

function addressOf(request) {
  return window.attentionLabAddress(`/figures/file?${new URLSearchParams(request)}`);
}

function orderOf(link, key, options, seen) {
  const { preset, transparent, title, qr } = options;
  const request = { link, key, preset, theme: themeOf(options) };
  if (transparent) request.transparent = "1";
  if (!title) request.title = "0";
  if (qr) request.qr = "1";
  if (seen) request.seen = seen;
  return request;
}
