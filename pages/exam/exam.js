// The exam: its questions one after the other, without solutions, and the result at the end. Everything stays in this
// browser, unless the reader writes the result into the address.
class Exam {
  constructor(root) {
    Object.assign(this, { root, heard: "", goTo: "" });
  }

  hear(data) {
    const heard = JSON.stringify(data);
    if (heard === this.heard) return; // the page was drawn again, maybe during an answer
    Object.assign(this, { data, heard, exam: readExam(data) });
    this.draw();
  }

  get question() {
    return this.data.questions[this.exam.order[this.exam.at]];
  }

  change(changes) {
    Object.assign(this.exam, changes);
    keepExam(this.exam, this.data.questions);
    this.draw();
    this.root.querySelector("[tabindex='-1']")?.focus(); // the focused element is gone
  }

  draw() {
    document.querySelector("#exam_on_paper")?.remove();
    const { given } = this.data;
    if (given) this.root.replaceChildren(...this.result(given));
    else if (this.exam.isOver) this.root.replaceChildren(...this.result(this.exam.answers));
    else this.root.replaceChildren(this.exam.at < this.exam.order.length ? this.asked() : this.allAsked());
  }

  asked() {
    const { exam, question } = this;
    const which = exam.order[exam.at];
    const kept = exam.answers[which];
    const take = (answer) => this.change({ answers: exam.answers.with(which, answer), at: exam.at + 1 });
    const head = make("div", "head");
    const text = Object.assign(prose("p", question.text, "question"), { tabIndex: -1 });
    head.append(text, make("small", "", `${exam.at + 1} of ${exam.order.length}`));
    const line = this.line(button("I do not know", () => take(UNKNOWN), "quiet"));
    const field = make("div", question.kind === "choose" ? "choices" : "");
    field.append(FIELDS[question.kind].field(question, (answer) => take(toKeep(question, answer))));
    const before = kept === null ? [] : [this.before(question, kept)];
    return this.box(head, ...before, field, line);
  }

  // The reader's earlier answer to this question.
  before(question, kept) {
    const said = kept === UNKNOWN ? "I do not know" : answered(question, fromKept(question, kept));
    const node = make("p", "before", `You answered: ${said}. `);
    node.append(button("Keep it", () => this.change({ at: this.exam.at + 1 }), "quiet"));
    return node;
  }

  allAsked() {
    const text = Object.assign(make("p", "question", `All ${this.exam.order.length} questions are answered.`), { tabIndex: -1 });
    return this.box(text, button("See the result", () => this.change({ isOver: true }), "next"), this.line());
  }

  line(...buttons) {
    const line = make("div", "options");
    if (this.exam.at > 0) line.append(button("← Back", () => this.change({ at: this.exam.at - 1 }), "quiet"));
    line.append(...buttons);
    return line;
  }

  box(...nodes) {
    const box = make("section", "box");
    box.ariaLabel = "Exam";
    box.append(...nodes);
    return box;
  }

  result(answers) {
    const order = this.data.given && !this.isOwn(answers) ? answers.map((_, at) => at) : this.exam.order;
    layResult(this.data, answers, order);
    const score = Object.assign(make("p", "score", scoreOf(this.data, answers)), { tabIndex: -1 });
    const acts = make("div", "acts");
    acts.append(button("Print", () => print()), this.data.given ? this.copy() : this.keepAsLink(answers), this.again(answers));
    return [score, acts, ...resultOf(this.data, answers, order)];
  }

  keepAsLink(answers) {
    const query = `answers=${spellAnswers(this.data.number, answers)}`;
    return button("Keep it as a link", () => window.attentionLabEntries.go(window.attentionLabAddress(`/exam?${query}`)));
  }

  copy() {
    const copy = button("Copy the address", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        copy.textContent = "The address is copied";
      } catch {
        copy.textContent = "Copy it from the address bar";
      }
    });
    return copy;
  }

  // A link may hold another reader's result; this browser keeps its own beside it.
  again(answers) {
    const isOwn = this.isOwn(answers);
    return button(isOwn ? "Take it again" : "Go to the exam of this browser", () => {
      if (isOwn) forgetExam();
      if (this.data.given) window.attentionLabEntries.drop(["answers"]);
      else this.startAnew();
    });
  }

  isOwn(answers) {
    return spellAnswers(this.data.number, this.exam.answers) === spellAnswers(this.data.number, answers);
  }

  startAnew() {
    this.exam = readExam(this.data);
    this.change({});
  }
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".exam") ?? parentElement.appendChild(make("div", "exam"));
  const exam = (root.exam ??= new Exam(root));
  exam.hear(data);
  return () => document.querySelector("#exam_on_paper")?.remove();
}
