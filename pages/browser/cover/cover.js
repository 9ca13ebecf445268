// The plate in place of what a link covers. What was revealed stays so while the page is open and after a reload, view by
// view, whatever is changed on it; the server never hears of it, and the link is covered again for the next who opens it.
const PLAIN = "What do you expect?";
const MOST_IN_A_COLUMN = 6; // options
const REVEALED = "attention-lab-revealed";

class Covers {
  constructor() {
    this.revealed = new Set(this.isPlayed ? [] : window.attentionLabReload.read(REVEALED));
    this.asked = null; // the cover whose plate is on the page
    this.style = document.head.appendChild(document.createElement("style"));
    document.addEventListener("act", (event) => {
      // With the remote alone there is no other key: the first step of a covered view is to show it.
      if (["reveal", "next"].includes(event.detail) && this.isOnPage() && this.reveal()) event.preventDefault();
    }, { capture: true });
  }

  isOnPage() {
    return this.asked !== null && document.querySelector(`[class*="st-key-${this.asked}__"]`) !== null;
  }

  // Whether there was anything to reveal.
  reveal() {
    if (this.revealed.has(this.asked)) return false;
    this.revealed.add(this.asked);
    if (!this.isPlayed) window.attentionLabReload.write(REVEALED, [...this.revealed]);
    const hadFocus = this.plate?.contains(this.plate.getRootNode().activeElement);
    this.show();
    if (hadFocus) this.focusOnRevealed();
    return true;
  }

  // Cover again what was revealed: a room is asked once more.
  coverAgain() {
    this.revealed.delete(this.asked);
    if (!this.isPlayed) window.attentionLabReload.write(REVEALED, [...this.revealed]);
    this.show();
  }

  // The button that had the focus is gone: it goes to what came in its place, where the Tab key goes on.
  focusOnRevealed() {
    const revealed = document.querySelector(`[class*="st-key-${this.asked}__"]`);
    revealed.tabIndex = -1;
    revealed.style.outline = "none";
    revealed.focus({ preventScroll: true });
  }

  // In the player of a lecture a page is made ready behind the one that is shown. There it is laid out as if it were not
  // covered, so that it is there at once when somebody asks for it; the player calls `show` before anybody sees it.
  get isBehind() {
    return this.isPlayed && window.frameElement.inert;
  }

  get isPlayed() {
    return Boolean(window.attentionLabPlayedBy?.());
  }

  // The rules name each cover that is off: what the page sends anew is seen at once, or covered at once.
  show() {
    const off = [...this.revealed, ...(this.isBehind && this.asked ? [this.asked] : [])];
    this.style.textContent = off.map((cover) => `[class*="st-key-${cover}__"] { content-visibility: visible !important; }`).join("\n");
    this.draw?.();
  }
}

function make(tag, text, kind = "") {
  return Object.assign(document.createElement(tag), { textContent: text, className: kind });
}

// In the player of a lecture the question of the step stands above the page, and its options below it, on the plate.
function draw(root, host, covers) {
  const isOff = covers.revealed.has(covers.asked) || covers.isBehind;
  host.closest("[data-testid=stElementContainer]").style.display = isOff ? "none" : "";
  covers.plate = root;
  root.replaceChildren();
  if (isOff) return;
  const isInHall = new URL(location.href).searchParams.has("large");
  const plate = make("section", "", isInHall ? "plate in_hall" : "plate");
  plate.ariaLabel = "Covered";
  const reveal = Object.assign(make("button", "Reveal"), { type: "button", onclick: () => covers.reveal() });
  const step = window.attentionLabPlayedBy?.()?.stepIn(window);
  const options = make("ol", "", step?.options.length > MOST_IN_A_COLUMN ? "options many" : "options");
  options.append(...(step?.options ?? []).map((one) => make("li", one)));
  if (!step) plate.append(make("p", PLAIN));
  if (options.childElementCount) plate.append(options);
  plate.append(frameOf(covers.frame, step), reveal, make("small", "Picture and answer are covered. R or the next step reveals them."));
  root.append(plate);
}

// The picture without its content: the sentence, what is drawn, and what is set. A question of the step's own has the
// sentence only if it is about it, and with answers it needs the axes alone.
function frameOf({ sentences = [], titles = [], axes = [], settings = [], model = "" } = {}, step = null) {
  const frame = make("div", "", "frame");
  const isOwn = Boolean(step?.room.length);
  const lines = [
    ["sentence", step?.question ? sentences.filter((one) => isAbout(step, one)) : sentences],
    ["subject", isOwn ? axes : [...titles, ...axes]],
    ["settings", isOwn ? [] : [...settings, model].filter(Boolean)],
  ].map(([kind, said]) => [kind, said.join(" · ")]);
  frame.append(...lines.filter(([, text]) => text).map(([kind, text]) => make("div", text, kind)));
  return frame;
}

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

// Whether the question of a step asks about a sentence that the step has chosen: it quotes a word of it, but not all of it.
function isAbout({ source, question }, sentence) {
  if (!new URL(source, location.href).searchParams.has("text")) return false;
  const words = wordsOf(sentence);
  const quoted = [...question.matchAll(/[“"]([^“”"]+)[”"]/gu)].flatMap(([, one]) => wordsOf(one));
  const isWhole = ` ${wordsOf(question).join(" ")} `.includes(` ${words.join(" ")} `);
  return !isWhole && words.some((one) => quoted.includes(one));
}

export default function ({ data, parentElement }) {
  const covers = (window.attentionLabCovers ??= new Covers());
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(make("div", "", "root"));
  const own = () => draw(root, parentElement.host ?? parentElement, covers);
  Object.assign(covers, { asked: data.cover, frame: data.frame, draw: own });
  covers.show();
  // What is drawn in its place may have come before this one goes.
  return () => { if (covers.draw === own) Object.assign(covers, { asked: null, draw: null }); };
}
