// Shows the entry of an underlined term beside it while the pointer or the focus is on it, and after a first tap. A
// second tap follows the link. Without scripts the title shows the same text.
const UNDERLINED = `a[href^="${window.attentionLabAddress("/glossary?term=")}"]`;
const EDGE = 8;

const entry = Object.assign(document.createElement("div"), { id: "term_entry", role: "tooltip", hidden: true });
let shown = null;
let pointer = "mouse";

const termAt = (target) => target.closest?.(UNDERLINED) ?? null;

function takeTitle(term) {
  if (!term.title) return;
  term.setAttribute("aria-description", term.title);
  term.removeAttribute("title");  // otherwise the browser shows it as well, a second later
}

function place(term) {
  const [line] = term.getClientRects();
  const { width, height } = entry.getBoundingClientRect();
  const above = line.bottom + EDGE + height > innerHeight;
  entry.style.left = `${Math.max(EDGE, Math.min(line.left, document.documentElement.clientWidth - width - EDGE))}px`;
  entry.style.top = `${above ? line.top - height - EDGE / 2 : line.bottom + EDGE / 2}px`;
}

function show(term) {
  takeTitle(term);
  const { color, backgroundColor, fontFamily } = getComputedStyle(document.querySelector(".stApp"));
  Object.assign(entry.style, { color, backgroundColor, fontFamily, left: "0", top: "0" });
  entry.textContent = term.getAttribute("aria-description");
  entry.hidden = false;
  shown = term;
  place(term);
}

function hide() {
  entry.hidden = true;
  shown = null;
}

// The focus may scroll the term into sight, so the entry moves with it.
function follow() {
  if (!shown) return;
  const { top, bottom } = shown.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) hide();
  else place(shown);
}

const handlers = {
  pointerdown: (event) => {
    pointer = event.pointerType;
    if (shown && termAt(event.target) !== shown) hide();
  },
  pointerover: (event) => {
    if (event.pointerType !== "mouse") return;
    const term = termAt(event.target);
    if (term && term !== shown) show(term);
    if (!term && shown && !shown.matches(":focus-visible")) hide();
  },
  focusin: (event) => {
    const term = termAt(event.target);
    if (term?.matches(":focus-visible")) show(term);
    else if (pointer === "mouse") hide();
  },
  focusout: hide,
  click: (event) => {
    const term = termAt(event.target);
    if (!term || term === shown || pointer === "mouse") return;
    event.preventDefault();
    show(term);
  },
  keydown: (event) => {
    if (event.key === "Escape") hide();
  },
  scroll: follow,
};

export default function () {
  document.body.append(entry);
  for (const [name, handler] of Object.entries(handlers)) document.addEventListener(name, handler, { capture: true });
  return () => {
    hide();
    entry.remove();
    for (const [name, handler] of Object.entries(handlers)) document.removeEventListener(name, handler, { capture: true });
  };
}
