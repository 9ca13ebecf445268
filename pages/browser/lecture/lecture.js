// Folds the controls of a lecture away and brings them back: by the act "controls", by the pointer at the upper edge, by
// a tap there, and by its button for the Tab key. What they look like is in lecture.css, which asks for data-controls.
const EDGE = 4; // pixels in which the pointer is at the edge
const TAP = 40; // pixels that a finger hits
const LEAVES = 500; // milliseconds after which they go again, once the pointer has left them
const CONTROLS = ".st-key-lecture_bar, .stSidebar, .stAppHeader, .st-key-history, .st-key-lecture_handle";
// A menu that is open, which hangs below its box, and a box in which somebody types.
const OPEN = '[data-baseweb="popover"], [role="listbox"], [role="menu"], [role="dialog"]';
const TYPING = `:is(${CONTROLS}) :is(input, textarea):focus-visible`;

export default function ({ parentElement }) {
  const root = document.documentElement;
  const button = parentElement.querySelector("button");
  let isKept = false;
  let isNear = false;
  let timer = null;

  const show = () => {
    const isShown = isKept || isNear;
    if (isShown) root.dataset.controls = "shown";
    else delete root.dataset.controls;
    button.setAttribute("aria-expanded", isShown);
    const bar = document.querySelector(".st-key-lecture_bar");
    button.style.setProperty("--top", isShown && bar ? `${bar.offsetTop + bar.offsetHeight}px` : "0");
  };
  const toggle = () => {
    isKept = !(isKept || isNear);
    isNear = false;
    show();
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
    if (event.detail !== "controls") return;
    event.preventDefault();
    toggle();
  };

  button.onclick = toggle;
  document.addEventListener("pointermove", onMove);
  document.addEventListener("pointerdown", onDown);
  document.addEventListener("act", onAct);
  const sizes = new ResizeObserver(show);
  const bar = document.querySelector(".st-key-lecture_bar");
  if (bar) sizes.observe(bar);
  return () => {
    clearTimeout(timer);
    sizes.disconnect();
    delete root.dataset.controls;
    document.removeEventListener("pointermove", onMove);
    document.removeEventListener("pointerdown", onDown);
    document.removeEventListener("act", onAct);
  };
}
