// The keys of every page, in one place. What answers to a step or to playing says so itself: a component of ours hears
// "act" and prevents its default, and a button of Streamlit's has a key that ends like the act. Undo and what takes a
// selection back are in history.js, which knows the addresses.
const KEYS = { ArrowLeft: "back", ArrowRight: "next", p: "play", z: "undo", Escape: "drop" };

function actOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.altKey || event.shiftKey) return undefined;
  if (event.ctrlKey || event.metaKey) return key === "z" ? "undo" : undefined;
  return KEYS[key];
}

function perform(act) {
  const asked = new CustomEvent("act", { detail: act, cancelable: true });
  if (!document.dispatchEvent(asked)) return true;
  const isFor = ({ classList }) => [...classList].some((name) => name.startsWith("st-key-") && name.endsWith(`_${act}`));
  const button = [...document.querySelectorAll("[class*=_buttons] [class*=st-key-]")].find(isFor)?.querySelector("button");
  if (!button) return false;
  if (!button.disabled) button.click();
  return true;
}

function follow(event) {
  const act = event.key && actOf(event);
  if (!act || event.defaultPrevented || isNeeded(event, event.composedPath()[0])) return;
  if (perform(act)) event.preventDefault();
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

export default function () {
  // Before what has the focus: a row of words would move the focus with the arrows and keep them to itself.
  document.addEventListener("keydown", follow, { capture: true });
  addEventListener("resize", reach);
  const observer = new MutationObserver(reach);
  observer.observe(document.body, { childList: true, subtree: true });
  reach();
  const skip = offerSkip();
  return () => {
    document.removeEventListener("keydown", follow, { capture: true });
    removeEventListener("resize", reach);
    observer.disconnect();
    skip.remove();
  };
}
