// Which key asks for what, and whether what has the focus needs the key itself: only then is it not for the whole page.
// Most clicks leave the focus on something that does not, on the page around what was clicked, on a button or a toggle.
const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", PageUp: "back", PageDown: "next", " ": "next", p: "play", z: "undo", Escape: "drop",
  r: "reveal", h: "controls", b: "black", ".": "black", "?": "help", s: "save", F5: "start", Backspace: "prepared", "/": "search",
  o: "overview", t: "sentence", q: "room", l: "large",
};
// A presenter's remote sends these: where nothing has steps they scroll the page, whatever has the focus.
const SCROLLS = { PageUp: -1, PageDown: 1, " ": 1 };
// And these where nothing has the focus: pixels.
const LINES = { ArrowUp: -60, ArrowDown: 60, Home: -1e6, End: 1e6 };

const TAKES_EVERY_KEY = "textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=dialog], dialog, "
  + "input:not([type=checkbox], [type=radio], [type=range])";
const TAKES_ARROWS = "[type=radio], [type=range], [role=radio], [role=slider], [role=tab], table, canvas";
// A line of text has no use for these: who has typed a sentence goes on with the remote.
const TAKES_PAGES = "textarea, select, [role=menu], [role=listbox], [role=combobox][aria-expanded=true], [role=dialog], [type=range], "
  + "[role=slider], table, canvas";
const TAKES_SPACE = "button, summary, a[href], input, [role=button], [role=radio], [role=switch], [role=checkbox], [role=tab], [role=slider]";
// The row of the words that are walked through: there an arrow is a step, as everywhere on its page.
const STEPS = "[class*=_word] [role=radio]";

function actOf({ key, altKey, ctrlKey, metaKey, shiftKey }) {
  const known = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return shiftKey ? undefined : { z: "undo", k: "search" }[known];
  if (known === "?" || known === "/") return KEYS[known]; // need the shift key on many keyboards
  if (shiftKey) return { " ": "back", F5: "start" }[known];
  return KEYS[known];
}

// In a line of text Enter and Escape are its end: the next key is one of the page again.
function endsTyping({ key }, focused) {
  if (key === "Enter") return Boolean(focused.closest?.(".stTextInput"));
  return key === "Escape" && focused.matches?.("textarea, input:not([role=combobox], [type=checkbox], [type=radio], [type=range])");
}

function isNeeded({ key, ctrlKey, metaKey }, focused) {
  if (key === "F5" || (key.toLowerCase() === "k" && (ctrlKey || metaKey))) return false; // nothing that is typed
  const isClosed = focused.matches?.("[role=combobox][aria-expanded=false]");
  if (key.startsWith("Page")) return Boolean(focused.closest?.(TAKES_PAGES));
  if (key === " ") return Boolean(focused.closest?.(`${TAKES_EVERY_KEY}, ${TAKES_SPACE}`));
  if (key.startsWith("Arrow") && focused.matches?.(STEPS)) return false;
  if (isClosed && key === "Escape") return false;
  if (key.startsWith("Arrow") && isClosed) return key === "ArrowUp" || key === "ArrowDown";
  return Boolean(focused.closest?.(key.startsWith("Arrow") ? `${TAKES_EVERY_KEY}, ${TAKES_ARROWS}` : TAKES_EVERY_KEY));
}
