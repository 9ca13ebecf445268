// The act of each key, and whether the focused element needs the key itself. Otherwise the key is for the whole page.
// Most clicks leave the focus on an element that does not need it: the page itself, a button or a toggle.
const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", PageUp: "back", PageDown: "next", " ": "next", p: "play", z: "undo", Escape: "dismiss",
  r: "reveal", h: "controls", b: "black", ".": "black", "?": "help", s: "save", F5: "start", Backspace: "restore", "/": "search",
  o: "overview", t: "sentence", q: "room", l: "large",
};
// A presenter's remote sends these. On a page without steps they scroll, whatever has the focus.
const SCROLLS = { PageUp: -1, PageDown: 1, " ": 1 };
// These scroll by pixels, if nothing has the focus.
const LINES = { ArrowUp: -60, ArrowDown: 60, Home: -1e6, End: 1e6 };

const TAKES_EVERY_KEY = "textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=dialog], dialog, "
  + "input:not([type=checkbox], [type=radio], [type=range])";
const TAKES_ARROWS = "[type=radio], [type=range], [role=radio], [role=slider], [role=tab], table, canvas";
// A one-line text box does not need these, so a remote works after typing a sentence.
const TAKES_PAGES = "textarea, select, [role=menu], [role=listbox], [role=combobox][aria-expanded=true], [role=dialog], [type=range], "
  + "[role=slider], table, canvas";
const TAKES_SPACE = "button, summary, a[href], input, [role=button], [role=radio], [role=switch], [role=checkbox], [role=tab], [role=slider]";
// The row of words of a view with steps: there an arrow is a step, as everywhere on its page.
const STEPS = "[class*=_word] [role=radio]";

function actOf({ key, altKey, ctrlKey, metaKey, shiftKey }) {
  const known = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return shiftKey ? undefined : { z: "undo", k: "search" }[known];
  if (known === "?" || known === "/") return KEYS[known]; // these need the shift key on many keyboards
  if (shiftKey) return { " ": "back", F5: "start" }[known];
  return KEYS[known];
}

// Enter and Escape end typing in a one-line text box: the next key is for the page again.
function endsTyping({ key }, focused) {
  if (key === "Enter") return Boolean(focused.closest?.(".stTextInput"));
  return key === "Escape" && focused.matches?.("textarea, input:not([role=combobox], [type=checkbox], [type=radio], [type=range])");
}

function isNeeded({ key, ctrlKey, metaKey }, focused) {
  if (key === "F5" || (key.toLowerCase() === "k" && (ctrlKey || metaKey))) return false; // no text box needs these
  const isClosed = focused.matches?.("[role=combobox][aria-expanded=false]");
  if (key.startsWith("Page")) return Boolean(focused.closest?.(TAKES_PAGES));
  if (key === " ") return Boolean(focused.closest?.(`${TAKES_EVERY_KEY}, ${TAKES_SPACE}`));
  if (key.startsWith("Arrow") && focused.matches?.(STEPS)) return false;
  if (isClosed && key === "Escape") return false;
  if (key.startsWith("Arrow") && isClosed) return key === "ArrowUp" || key === "ArrowDown";
  return Boolean(focused.closest?.(key.startsWith("Arrow") ? `${TAKES_EVERY_KEY}, ${TAKES_ARROWS}` : TAKES_EVERY_KEY));
}
