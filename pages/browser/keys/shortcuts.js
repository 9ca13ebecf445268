// The keys of every page, in one place. What answers to a step or to playing says so itself: a component of ours hears
// "act" and prevents its default, and a button of Streamlit's has a key that ends like the act. Undo and what takes a
// selection back are in history.js, which knows the addresses. Where nothing has steps, their keys scroll the page.

// In the player of a lecture, see pages/lecture, these belong to the lecture and not to the page that is shown in it, and
// in the window of its presenter to the hall.
const OF_A_LECTURE = ["back", "next", "black", "help", "presenter", "drop", "start", "prepared", "overview", "room"];
const IN_A_LECTURE = { save: "presenter" }; // there a key may mean something else
const player = () => window.attentionLabPlayedBy?.() ?? window.attentionLabPresenter;

function perform(pressed) {
  const act = (player() && IN_A_LECTURE[pressed]) ?? pressed;
  if (OF_A_LECTURE.includes(act) && player()) return player().press(act);
  if (act === "large") return pressLarge();
  const asked = new CustomEvent("act", { detail: act, cancelable: true });
  if (!document.dispatchEvent(asked)) return true;
  const isFor = ({ classList }) => [...classList].some((name) => name.startsWith("st-key-") && name.endsWith(`_${act}`));
  const button = [...document.querySelectorAll("[class*=_buttons] [class*=st-key-]")].find(isFor)?.querySelector("button");
  if (!button) return false;
  if (!button.disabled) button.click();
  return true;
}

// The switch stands on every page; a step of a lecture is large and stays so.
function pressLarge() {
  if (!player()) document.querySelector(".st-key-large input")?.click();
  return true;
}

// A line of what was last in sight stays there. In a lecture the page shown is that of a frame.
function scroll({ key, shiftKey }) {
  const page = window.attentionLabPlayer?.page ?? document;
  const main = page.querySelector(".stMain");
  if (!main || main.scrollHeight <= main.clientHeight) return false;
  main.scrollBy({ top: LINES[key] ?? SCROLLS[key] * (shiftKey ? -1 : 1) * 0.88 * main.clientHeight });
  return true;
}

// A browser scrolls what has the focus, and at first nothing has it that scrolls.
function scrollLines(event) {
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (isPlain && event.key in LINES && event.target === document.body && scroll(event)) event.preventDefault();
}

// Digits, Enter, Home and End lead to a step of a lecture, unless somebody types.
function isTypedInLecture(event, focused) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isNeeded(event, focused)) return false;
  return Boolean((player() ?? window.attentionLabPlayer)?.type(event.key));
}

// Enter and Escape end typing. Streamlit first takes the text; a key that is pressed sooner is one of the page too.
let typedIn = null;
function endTyping() {
  typedIn?.blur();
  typedIn = null;
}

function follow(event) {
  if (event.defaultPrevented || !event.key) return;
  const focused = typedIn ? document.body : event.composedPath()[0];
  endTyping();
  if (endsTyping(event, focused)) {
    typedIn = focused;
    setTimeout(endTyping);
  }
  const act = actOf(event);
  if (isTypedInLecture(event, focused)) return event.preventDefault();
  if (!act) return scrollLines(event);
  if (isNeeded(event, focused)) return;
  if (act === "reveal") event.stopPropagation(); // Streamlit (1.67) would run the page again
  if (perform(act) || (event.key in SCROLLS && scroll(event)) || act === "reveal") event.preventDefault();
}

// A list that has closed lets go of the keys: Streamlit's box would keep them, and type over what was chosen. The Tab key
// goes on from there.
function letGo(records) {
  for (const { target, oldValue } of records) {
    const isClosed = oldValue === "true" && target.ariaExpanded === "false";
    if (isClosed && target === document.activeElement && target.closest(".stSelectbox")) target.blur();
  }
}

// What scrolls can be reached with the Tab key: formulas scroll where a window is narrow, and KaTeX does not say so.
let pending = false;
function reach() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    for (const formula of document.querySelectorAll(".katex-display")) {
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    }
  });
}

// Tab enters a group of options at the one that is chosen.
function enterAtChosen({ target, relatedTarget }) {
  const group = target.closest?.("[role=radiogroup]");
  if (!group || group.contains(relatedTarget) || !target.matches(":focus-visible")) return;
  group.querySelector("[role=radio][aria-checked=true]")?.focus();
}

export default function ({ data }) {
  // Before what has the focus: a row of words would move the focus with the arrows and keep them to itself.
  document.addEventListener("keydown", follow, { capture: true });
  document.addEventListener("focusin", enterAtChosen);
  addEventListener("resize", reach);
  const observer = new MutationObserver(reach);
  observer.observe(document.body, { childList: true, subtree: true });
  const lists = new MutationObserver(letGo);
  lists.observe(document.body, { attributeFilter: ["aria-expanded"], attributeOldValue: true, subtree: true });
  reach();
  const skip = offerSkip();
  window.attentionLabOverlays ??= new Overlays(data.keys); // a page that is drawn again stays dark
  window.attentionLabPerform = perform; // for the player of a lecture, which shows this page
  return () => {
    document.removeEventListener("keydown", follow, { capture: true });
    document.removeEventListener("focusin", enterAtChosen);
    removeEventListener("resize", reach);
    observer.disconnect();
    lists.disconnect();
    skip.remove();
  };
}
