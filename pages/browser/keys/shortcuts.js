// The keys of every page. A component of this app that has steps or plays listens to "act" and prevents its default. A
// button of Streamlit has a key that ends with the act. Undo and clearing a selection are in history.js, which knows the
// addresses. On a page without steps, the keys of steps scroll.

// In the player of a lecture, see pages/lecture, these acts are for the lecture, not for the page in its frame. In the
// presenter's window they are for the hall.
const OF_A_LECTURE = ["back", "next", "black", "help", "presenter", "dismiss", "start", "restore", "overview", "room"];
const IN_A_LECTURE = { save: "presenter" }; // keys with another meaning in a lecture
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

// Every page has the switch; a step of a lecture is always large.
function pressLarge() {
  if (!player()) document.querySelector(".st-key-large input")?.click();
  return true;
}

// Some lines stay visible after a scroll. In a lecture the page is in a frame.
function scroll({ key, shiftKey }) {
  const page = window.attentionLabPlayer?.page ?? document;
  const main = page.querySelector(".stMain");
  if (!main || main.scrollHeight <= main.clientHeight) return false;
  main.scrollBy({ top: LINES[key] ?? SCROLLS[key] * (shiftKey ? -1 : 1) * 0.88 * main.clientHeight });
  return true;
}

// A browser scrolls the focused element, but at first nothing that scrolls has the focus.
function scrollLines(event) {
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (isPlain && event.key in LINES && event.target === document.body && scroll(event)) event.preventDefault();
}

// Digits, Enter, Home and End lead to a step of a lecture, unless somebody types.
function isTypedInLecture(event, focused) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isNeeded(event, focused)) return false;
  return Boolean((player() ?? window.attentionLabPlayer)?.type(event.key));
}

// Enter and Escape end typing. Streamlit takes the text first; a key pressed before that is already for the page.
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

// A list that has closed gives up the focus: otherwise Streamlit's box would type over the chosen entry. The Tab key
// goes on from there.
function letGo(records) {
  for (const { target, oldValue } of records) {
    const isClosed = oldValue === "true" && target.ariaExpanded === "false";
    if (isClosed && target === document.activeElement && target.closest(".stSelectbox")) target.blur();
  }
}

// Formulas scroll in a narrow window. This makes them reachable with the Tab key, which KaTeX does not do.
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

// Tab enters a group of options at the chosen option.
function enterAtChosen({ target, relatedTarget }) {
  const group = target.closest?.("[role=radiogroup]");
  if (!group || group.contains(relatedTarget) || !target.matches(":focus-visible")) return;
  group.querySelector("[role=radio][aria-checked=true]")?.focus();
}

export default function ({ data }) {
  // Captured before the focused element gets the key: a row of words would use the arrows to move the focus.
  document.addEventListener("keydown", follow, { capture: true });
  document.addEventListener("focusin", enterAtChosen);
  addEventListener("resize", reach);
  const observer = new MutationObserver(reach);
  observer.observe(document.body, { childList: true, subtree: true });
  const lists = new MutationObserver(letGo);
  lists.observe(document.body, { attributeFilter: ["aria-expanded"], attributeOldValue: true, subtree: true });
  reach();
  const skip = offerSkip();
  window.attentionLabOverlays ??= new Overlays(data.keys); // the screen stays black if the page is drawn again
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
