// Whether what has the focus needs a key itself: only then is the key not for the whole page. Most clicks leave the
// focus on something that does not, on the page around what was clicked, on a button or a toggle.
const TAKES_EVERY_KEY = "textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=dialog], "
  + "input:not([type=checkbox], [type=radio], [type=range])";
const TAKES_ARROWS = "[type=radio], [type=range], [role=radio], [role=slider], [role=tab], table, canvas";
// The row of the words that are walked through: there an arrow is a step, as everywhere on its page.
const STEPS = "[class*=_word] [role=radio]";

function isNeeded({ key }, focused) {
  const isClosed = focused.matches?.("[role=combobox][aria-expanded=false]");
  if (key.startsWith("Arrow") && focused.matches?.(STEPS)) return false;
  if (isClosed && key === "Escape") return false;
  if (key.startsWith("Arrow") && isClosed) return key === "ArrowUp" || key === "ArrowDown";
  return Boolean(focused.closest?.(key.startsWith("Arrow") ? `${TAKES_EVERY_KEY}, ${TAKES_ARROWS}` : TAKES_EVERY_KEY));
}
