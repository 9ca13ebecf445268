// The plate in place of a covered result. A revealed view stays revealed while the page is open and after a reload,
// whatever is changed on it. The server does not hear of it, so the same link is covered for every other visitor.
const PLAIN = "What do you expect?";
const MOST_IN_A_COLUMN = 6; // options
const REVEALED = "attention-lab-revealed";

class Covers {
  constructor() {
    this.revealed = new Set(this.isPlayed ? [] : window.attentionLabReload.read(REVEALED));
    this.asked = null; // name of the cover on the page
    this.style = document.head.appendChild(document.createElement("style"));
    document.addEventListener("act", (event) => {
      // A remote has no key for revealing, so the first step on a covered view reveals it.
      if (["reveal", "next"].includes(event.detail) && this.isOnPage() && this.reveal()) event.preventDefault();
    }, { capture: true });
  }

  isOnPage() {
    return this.asked !== null && document.querySelector(`[class*="st-key-${this.asked}__"]`) !== null;
  }

  // Returns whether there was anything to reveal.
  reveal() {
    if (this.revealed.has(this.asked)) return false;
    this.revealed.add(this.asked);
    if (!this.isPlayed) window.attentionLabReload.write(REVEALED, [...this.revealed]);
    const hadFocus = this.plate?.contains(this.plate.getRootNode().activeElement);
    this.show();
    if (hadFocus) this.focusOnRevealed();
    return true;
  }

  // Covers the view again, because the room is asked once more.
  coverAgain() {
    this.revealed.delete(this.asked);
    if (!this.isPlayed) window.attentionLabReload.write(REVEALED, [...this.revealed]);
    this.show();
  }

  // The focused button is gone, so the focus moves to the revealed element, where the Tab key goes on.
  focusOnRevealed() {
    const revealed = document.querySelector(`[class*="st-key-${this.asked}__"]`);
    revealed.tabIndex = -1;
    revealed.style.outline = "none";
    revealed.focus({ preventScroll: true });
  }

  // The player of a lecture prepares a page behind the visible one. There the page is laid out without its cover, so that
  // the result is ready when it is revealed. The player calls `show` before the page becomes visible.
  get isBehind() {
    return this.isPlayed && window.frameElement.inert;
  }

  get isPlayed() {
    return Boolean(window.attentionLabPlayedBy?.());
  }

  // A CSS rule for each revealed cover also holds for elements that the page adds later.
  show() {
    const off = [...this.revealed, ...(this.isBehind && this.asked ? [this.asked] : [])];
    this.style.textContent = off.map((cover) => `[class*="st-key-${cover}__"] { content-visibility: visible !important; }`).join("\n");
    this.draw?.();
  }
}

function make(tag, text, kind = "") {
  return Object.assign(document.createElement(tag), { textContent: text, className: kind });
}

// In the player of a lecture the question of the step is above the page; its options are on the plate.
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

// The picture without its content: sentence, titles and settings. With the step's own question, the sentence is shown
// only if the question is about it. If the room answers that question, nothing else is shown.
function frameOf({ sentences = [], titles = [], axes = [], settings = [], model = "" } = {}, step = null) {
  const frame = make("div", "", "frame");
  const isOwn = Boolean(step?.room.length);
  const lines = [
    ["sentence", step?.question ? sentences.filter((one) => isAbout(step, one)) : sentences],
    ["subject", isOwn ? [] : [...titles, ...axes]],
    ["settings", isOwn ? [] : [...settings, model].filter(Boolean)],
  ].map(([kind, said]) => [kind, said.join(" · ")]);
  frame.append(...lines.filter(([, text]) => text).map(([kind, text]) => make("div", text, kind)));
  return frame;
}

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

// Whether the question of a step is about the sentence of its link: it quotes a word of it, but not the whole sentence.
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
  // The next plate may be drawn before this one is removed.
  return () => { if (covers.draw === own) Object.assign(covers, { asked: null, draw: null }); };
}
