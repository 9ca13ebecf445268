// The headline of a step: its title, or its question while the step is covered, and its own sentence below. The reveal also
// shows the right answer to the step's question. All lines have their places from the beginning, so that the picture does
// not move. On a changed step the question and the headline of the view replace the step's title and sentence, which may
// be false there, and no answer is called right.
const PLAIN_QUESTION = "What do you expect?";

// A title may be the answer, so a covered step shows only a question.
function askedBy({ question, title }) {
  return question || (title.trim().endsWith("?") ? title : PLAIN_QUESTION);
}

// The name of a step for the hall.
function nameOf(step, isRevealed) {
  return step.covered && !isRevealed ? askedBy(step) : step.title;
}

class Headline {
  constructor(step) {
    this.step = step;
    this.root = made("header", "headline");
    this.asked = made("h1", "asked");
    this.asked.append(...inline(askedBy(step)));
    this.title = made("h1", "title");
    this.name = step.title ? [step.title] : inline(askedBy(step));
    this.title.append(...this.name);
    this.lines = made("div", "lines");
    this.right = step.covered && step.right ? made("p", "right", `Right: ${step.right}`) : null;
    const told = made("div", "told");
    told.append(this.title, ...(this.right ? [this.right] : []));
    this.lines.append(told, ...(step.covered ? [this.asked] : []));
    this.root.append(this.lines);
    this.sentence = null;
    if (hasOwnSentence(step)) {
      this.sentence = made("p", "sentence");
      this.sentence.append(...inline(step.sentence));
      this.root.append(this.sentence);
    }
    // A slide with only a title shows it itself, larger.
    const isOnPage = ["title", "end"].includes(step.kind) && !step.covered;
    this.root.hidden = isOnPage || (!step.title && !step.covered && !this.sentence);
    Object.assign(this, { isRevealed: false, isPrepared: true });
    this.show(false);
  }

  // The visible title or question.
  get shown() {
    return this.root.hidden ? "" : this.lines.querySelector("h1:not(.unseen)").textContent;
  }

  // The visible sentence: the step's, or the headline of the view.
  sentenceSeen(viewHeadline) {
    if (this.step.covered && !this.isRevealed) return "";
    if (this.sentence) return this.sentence.textContent || viewHeadline;
    return this.step.sentence ? "" : viewHeadline;
  }

  show(isRevealed) {
    this.isRevealed = isRevealed;
    const isCovered = this.step.covered && !isRevealed;
    const put = (node, isSeen) => node?.classList.toggle("unseen", !isSeen);
    put(this.title, !isCovered);
    put(this.asked, isCovered);
    put(this.sentence, !isCovered);
    put(this.right, !isCovered && this.isPrepared);
  }

  // Follows the page of the step: whether it is as prepared, the node with the view's headline, and the view's question.
  follow(isPrepared, viewHeadline, question) {
    const said = isPrepared ? null : `${question} ${viewHeadline?.textContent ?? ""}`;
    if (isPrepared === this.isPrepared && said === this.said) return;
    Object.assign(this, { isPrepared, said });
    this.title.replaceChildren(...(isPrepared ? this.name : [question]));
    this.sentence?.replaceChildren(...(isPrepared ? inline(this.step.sentence) : viewHeadline ? emphasized(viewHeadline) : []));
    this.show(this.isRevealed);
  }
}

// The text of an element with its emphasis, without its links.
function emphasized(node) {
  return [...node.childNodes].flatMap((one) => {
    if (one.nodeType === Node.TEXT_NODE) return [one.data];
    return ["em", "strong"].includes(one.localName) ? [made(one.localName, "", one.textContent)] : emphasized(one);
  });
}

const hasOwnSentence = ({ sentence }) => Boolean(sentence) && sentence !== "none";
