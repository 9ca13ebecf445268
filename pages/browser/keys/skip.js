// The first stop of the Tab key skips the menus and the switches. It leads to the views of a page, or to its first control.
const TARGETS = [
  ".st-key-inline_views [role=radio][aria-checked=true]", ".st-key-inline_views button",
  ".stMain :is(input, textarea, button, a[href])",
];

function offerSkip() {
  const skip = Object.assign(document.createElement("nav"), { className: "skip", ariaLabel: "Skip" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Skip to the views" });
  button.onclick = () => TARGETS.map((target) => document.querySelector(target)).find(Boolean)?.focus();
  skip.append(button);
  document.body.prepend(skip);
  return skip;
}
