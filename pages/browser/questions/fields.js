// The kinds of question. Each makes its field, which calls `answer` with the visitor's answer, and resolves an answer
// into sentences: the answer, the solution, and the likely misconception.

const choose = {
  field({ options }, answer) {
    const row = make("div", "options");
    options.forEach(({ text }, at) => row.append(button(plain(text), () => answer(at))));
    return row;
  },
  resolve({ options, right }, at) {
    if (right === null) return [`Your answer: “${options[at].text}”.`];
    if (at === right) return [`“${options[right].text}” is right.`];
    return [`You expected “${options[at].text}”. The right answer is “${options[right].text}”.`, options[at].why_not];
  },
};

const estimate = {
  field(question, answer) {
    const form = make("form", "number");
    const box = Object.assign(make("input"), {
      type: "number", required: true, min: question.bounds[0], max: question.bounds[1], step: "any",
      ariaLabel: plain(question.text),
    });
    form.append(box, make("span", "", question.unit), Object.assign(make("button", "", "Answer"), { type: "submit" }));
    form.onsubmit = (event) => {
      event.preventDefault();
      answer(Number(box.value));
    };
    return form;
  },
  resolve(question, value) {
    const { right, near, mistaken } = question;
    if (right === null) return [`Your answer: ${given(value, question)}.`];
    const [expected, is] = [given(value, question), quantity(right, question)];
    if (isWithin(value, right, rounding(question))) return [`${expected} is right${expected === is ? "" : `: it is ${is}`}.`];
    if (isClose(value, question)) return [`${expected} is right within ${given(tolerance(question), question)}: it is ${is}.`];
    const distance = ([wrong]) => Math.abs(value - wrong);
    const [known] = mistaken.filter((one) => distance(one) <= near).sort((a, b) => distance(a) - distance(b));
    return [`You expected ${expected}. It is ${is}.`, known?.[1]];
  },
};

// The farthest that an answer may be from the right number, as in rooms/distributions.py: half of the last digit, or
// `near`, which is at most half of the right number.
const rounding = ({ decimals }) => 0.5 * 10 ** -decimals;
function tolerance({ right, near, decimals }) {
  const most = right === 0 ? near : Math.min(near, Math.abs(right) / 2);
  return Number(Math.max(most, rounding({ decimals })).toPrecision(3));
}

const isWithin = (value, right, most) => Math.abs(value - right) <= most * (1 + 1e-9);
const isClose = (value, question) => isWithin(value, question.right, tolerance(question));

// The visitor presses the items in order, and can undo the last press.
const arrange = {
  field({ items }, answer) {
    const row = make("div", "options");
    const order = [];
    const buttons = items.map((item, at) => button(plain(item), () => press(at)));
    const submit = button("Answer", () => answer([...order]), "submit");
    const show = () => {
      buttons.forEach((one, at) => {
        const rank = order.indexOf(at);
        one.textContent = `${rank < 0 ? "" : `${rank + 1} · `}${plain(items[at])}`;
        one.setAttribute("aria-pressed", rank >= 0);
      });
      submit.disabled = order.length < items.length;
    };
    const press = (at) => {
      if (order.includes(at)) order.splice(order.indexOf(at), 1);
      else order.push(at);
      show();
    };
    row.append(...buttons, submit);
    show();
    return row;
  },
  resolve({ items, right }, order) {
    const named = (ranks) => ranks.map((at) => items[at]).join(", ");
    if (right === null) return [`Your answer: ${named(order)}.`];
    if (order.every((at, rank) => at === right[rank])) return [`${named(order)}: that is right.`];
    return [`You expected ${named(order)}. The right order is ${named(right)}.`];
  },
};

// Bars that the visitor sets by dragging, over several rows in one stroke, or by the arrow keys, Home and End.
const STEPS = 20;

const sketch = {
  field(question, answer) {
    const { labels, largest } = question;
    const values = labels.map(() => 0);
    const field = make("div", "sketch");
    const total = make("span", "total");
    const bars = labels.map((label, at) => {
      const bar = rowOf(field, label);
      Object.assign(bar.track, { tabIndex: 0, role: "slider", ariaLabel: label, ariaValueMin: 0, ariaValueMax: largest });
      bar.track.onkeydown = (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        const end = { Home: 0, End: largest }[event.key];
        if (!by && end === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        set(at, end ?? values[at] + by * Math.max(largest / STEPS, question.are_whole ? 1 : 0));
      };
      return bar;
    });
    const set = (at, value) => {
      values[at] = Math.max(0, Math.min(largest, question.are_whole ? Math.round(value) : value));
      bars[at].own.style.width = `${(100 * values[at]) / largest}%`;
      bars[at].value.textContent = spelt(question, values[at]);
      Object.assign(bars[at].track, { ariaValueNow: values[at], ariaValueText: spelt(question, values[at]) });
      const sum = values.reduce((one, other) => one + other, 0);
      const isWhole = perCent(sum) === perCent(1);
      total.textContent = question.shares && sum > 0 && !isWhole ? `together ${perCent(sum)}, counted as 100 %` : "";
      submit.disabled = question.shares && sum === 0;
    };
    const drag = ({ clientX, clientY, buttons }) => {
      if (!buttons) return;
      const at = bars.findIndex(({ track }) => clientY <= track.getBoundingClientRect().bottom);
      const { left, width } = bars[Math.max(at, 0)].track.getBoundingClientRect();
      if (at >= 0) set(at, (largest * (clientX - left)) / width);
    };
    field.onpointerdown = (event) => {
      if (!event.target.closest(".track")) return;
      event.preventDefault();
      field.setPointerCapture(event.pointerId);
      drag(event);
    };
    field.onpointermove = (event) => field.hasPointerCapture(event.pointerId) && drag(event);
    const submit = button("Answer", () => answer(counted(question, values)), "submit");
    const line = make("div", "options");
    line.append(submit, total);
    labels.forEach((_, at) => set(at, 0));
    const whole = make("div");
    whole.append(field, line);
    return whole;
  },
  resolve(question, values) {
    if (!question.right) return ["Your drawing was counted."];
    const off = apart(values, question.right);
    const why = whyDrawn(question, values);
    if (question.shares) return [sharesDrawn(off / 2), why];
    return [`On average your bars are ${spelt(question, off / values.length)}${question.unit === "%" ? " points" : ""} off.`, why];
  },
  picture(question, values) {
    const field = make("div", "sketch");
    const decimals = question.shares && question.right ? decimalsOf(question.right) : 0;
    question.labels.forEach((label, at) => {
      const { own, truth, value } = rowOf(field, label);
      own.style.width = `${(100 * values[at]) / question.largest}%`;
      if (question.right) truth.style.width = `${(100 * question.right[at]) / question.largest}%`;
      const spell = (share) => (question.shares ? perCent(share, decimals) : spelt(question, share));
      const is = question.right ? ` · right: ${spell(question.right[at])}` : "";
      value.textContent = `you: ${spelt(question, values[at])}${is}`;
    });
    return field;
  },
};

// A drawing is right if only a small share of it belongs elsewhere.
const CLOSE = 0.1;

function sharesDrawn(elsewhere) {
  const off = perCent(elsewhere);
  if (elsewhere > CLOSE) return `${off} of what you have drawn belongs elsewhere.`;
  return off === perCent(0) ? "Your drawing is right." : `Your drawing is right within ${off}.`;
}

// Rounded, the shares sum to 100 % if one decimal can do so.
function decimalsOf(shares) {
  const whole = (decimals) => shares.reduce((sum, share) => sum + Number((100 * share).toFixed(decimals)), 0).toFixed(1) === "100.0";
  return !whole(0) && whole(1) ? 1 : 0;
}

// A few free words, in rooms only; the server refuses what is not a word.
const words = {
  field(question, answer) {
    const { text, longest } = question;
    const form = make("form", "number");
    const box = Object.assign(make("input"), { type: "text", required: true, maxLength: longest, autocomplete: "off", ariaLabel: plain(text) });
    form.append(box, Object.assign(make("button", "", "Answer"), { type: "submit" }));
    form.onsubmit = (event) => {
      event.preventDefault();
      answer(box.value);
    };
    const whole = make("div");
    whole.append(form, make("p", "limit", limitOf(question)));
    return whole;
  },
  resolve: (_, word) => [`Your answer: “${quotedMark(word)}”.`],
};

const limitOf = ({ most_words: most, longest }) => `At most ${most} words, ${longest} characters.`;

// Typed text in a sentence, with Markdown escaped.
const quotedMark = (text) => text.replace(/([\\*])/g, "\\$1");

const apart = (bars, others) => bars.reduce((sum, bar, at) => sum + Math.abs(bar - others[at]), 0);

// The reason for the nearest known misconception, if the drawing is less than half as far from it as the misconception is
// from the solution. Then the drawing is nearer to the misconception than to the solution.
function whyDrawn({ right, mistaken = [] }, values) {
  const near = mistaken.map(([bars, why]) => ({ why, off: apart(values, bars), most: apart(bars, right) / 2 }));
  return near.filter(({ off, most }) => off < most).sort((one, other) => one.off - other.off)[0]?.why;
}

function rowOf(field, label) {
  const [name, track, own, truth, value] = ["label", "track", "own", "truth", "value"].map((kind) => make("div", kind));
  name.textContent = label;
  track.append(truth, own);
  field.append(name, track, value);
  return { track, own, truth, value };
}

const spelt = ({ shares, unit }, value) => (shares ? perCent(value) : `${Number(value.toPrecision(2))} ${unit}`);

// Scales a drawing of shares to the sum 1.
function counted({ shares }, values) {
  const sum = values.reduce((one, other) => one + other, 0);
  return shares ? values.map((value) => value / sum) : [...values];
}

const FIELDS = { choose, estimate, arrange, sketch, words };
