// Shows and hides the controls of a large page: by the act "controls", by the pointer at the upper edge, by a tap there,
// and by a button for the Tab key. Their look is in large.css, which reads data-controls.
const EDGE = 4; // pixels that count as the upper edge for a pointer
const TAP = 40; // pixels that count as the upper edge for a finger
const LEAVES = 1000; // ms until the controls hide after the pointer has left them
const CONTROLS = ".st-key-large_bar, .stSidebar, .stAppHeader, .st-key-history, .st-key-large_handle";
// An open menu, which extends below its box, and a box in which somebody types.
const OPEN = '[data-baseweb="popover"], [role="listbox"], [role="menu"], [role="dialog"]';
const SENTENCE = ".st-key-sentences input[type=text], .st-key-sentences textarea";
const TYPING = `:is(${CONTROLS}) :is(input, textarea):focus-visible`;

export default function ({ parentElement }) {
  const root = document.documentElement;
  const button = parentElement.querySelector("button");
  let isKept = false;
  let isNear = false;
  let isTyping = false; // only the box of the sentence is shown
  let timer = null;

  const show = () => {
    const isShown = isKept || isNear || isTyping;
    if (isShown) root.dataset.controls = isTyping ? "sentence" : "shown";
    else delete root.dataset.controls;
    button.setAttribute("aria-expanded", isShown);
    const over = document.querySelector(isTyping ? ".st-key-large_bar" : ".stAppHeader");
    button.style.setProperty("--top", isShown && over ? `${over.offsetTop + over.offsetHeight}px` : "0");
  };
  const toggle = () => {
    isKept = !(isKept || isNear || isTyping);
    isNear = isTyping = false;
    show();
  };
  const fold = () => {
    isKept = isNear = isTyping = false;
    document.activeElement?.closest?.(CONTROLS) && document.activeElement.blur();
    show();
  };
  const openSentence = () => {
    const box = document.querySelector(SENTENCE);
    if (!box) return false;
    [isKept, isNear, isTyping] = [false, false, true];
    show();
    box.focus();
    box.select();
    return true;
  };
  // Streamlit takes the text at Enter; the focus may move to another box.
  const onKey = ({ key, target }) => {
    if (isTyping && ["Enter", "Escape"].includes(key) && target.matches?.(SENTENCE)) setTimeout(fold);
  };
  const leave = () => {
    timer = null;
    if (document.querySelector(`${OPEN}, ${TYPING}`)) return;
    isNear = false;
    show();
  };
  const onMove = ({ clientY, pointerType, target }) => {
    if (pointerType === "touch") return;
    if (clientY <= EDGE && !isNear) {
      isNear = true;
      show();
    }
    const isInside = clientY <= EDGE || target.closest?.(`${CONTROLS}, ${OPEN}`);
    if (isInside) {
      clearTimeout(timer);
      timer = null;
    } else if (isNear && timer === null) {
      timer = setTimeout(leave, LEAVES);
    }
  };
  const onDown = ({ clientY, pointerType, target }) => {
    if (pointerType !== "touch" || isKept || clientY > TAP || target.closest?.(CONTROLS)) return;
    toggle();
  };
  const onAct = (event) => {
    if (event.detail === "controls") toggle();
    else if (event.detail === "fold" && root.dataset.controls) fold();
    else if (event.detail !== "sentence" || !openSentence()) return;
    event.preventDefault();
  };

  button.classList.toggle("unseen", Boolean(window.attentionLabPlayedBy?.())); // a lecture's headline would cover it
  button.onclick = toggle;
  document.addEventListener("pointermove", onMove);
  document.addEventListener("pointerdown", onDown);
  document.addEventListener("act", onAct);
  document.addEventListener("keydown", onKey, { capture: true });
  const measure = () => {
    const bar = document.querySelector(".st-key-large_bar");
    if (bar) root.style.setProperty("--bar", `${bar.offsetHeight}px`);
    show();
  };
  const sizes = new ResizeObserver(measure);
  for (const one of document.querySelectorAll(".st-key-large_bar")) sizes.observe(one);
  return () => {
    clearTimeout(timer);
    sizes.disconnect();
    delete root.dataset.controls;
    document.removeEventListener("pointermove", onMove);
    document.removeEventListener("pointerdown", onDown);
    document.removeEventListener("act", onAct);
    document.removeEventListener("keydown", onKey, { capture: true });
  };
}
