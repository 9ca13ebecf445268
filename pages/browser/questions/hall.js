// Draws the answers of a hall: their distribution, the right answer over it, and how near the answers were.
const answersCounted = (n) => (n === 1 ? "1 answer" : `${n} answers`);

// The scale of the bars, shared by compared rounds: a row is full if everybody gave its answer. The largest column of a
// histogram of nearness is full.
function sharedScale(rounds) {
  const shown = rounds.map((round) => round.shown ?? {});
  const drawn = rounds.map(({ question }) => question.largest ?? 0);
  const near = shown.map(({ nearness: found }) => Math.max(1, ...(found?.counts ?? [])));
  const all = Math.max(1, ...rounds.map(({ count }) => count ?? 0));
  return { all, near: Math.max(...near), largest: Math.max(...drawn) };
}

// Each kind of question draws its answers on a scale.
const distributions = {
  choose({ options, right }, { counts }, { all }) {
    return rows(options.map(({ text }, at) => ({
      name: plain(text), share: counts[at] / all, value: String(counts[at]), isRight: at === right,
    })));
  },
  // A few different numbers get one bar each. Otherwise the bar of the right number includes near answers, and the
  // sentence below counts them in the same way.
  estimate(question, shown, { all }) {
    const { counts } = shown;
    const unit = question.unit && ` ${question.unit}`;
    const bar = (name, count, isRight) => ({ name, share: count / all, value: String(count), isRight });
    if (shown.values) {
      const near = counts.reduce((sum, count, at) => sum + (shown.right[at] ? count : 0), 0);
      const bars = rows(counts.map((count, at) => bar(`${shown.values[at]}${unit}`, count, shown.right[at])));
      if (question.right === null) return bars;
      const within = tolerance(question) > rounding(question) ? `Within ${given(tolerance(question), question)} of it` : "Within rounding";
      return together(bars, make("p", "", `Right: ${quantity(question.right, question)}. ${within}: ${answersCounted(near)}.`));
    }
    const { edges, marked, below, above } = shown;
    const spelled = spelledIn(edges, question.decimals);
    const bars = rows(counts.map((count, at) => bar(`${spelled(edges[at])} – ${spelled(edges[at + 1])}${unit}`, count, at === marked)));
    const said = [];
    if (marked !== undefined) said.push(`Right: ${quantity(question.right, question)}. From ${spelled(edges[marked])} to ${spelled(edges[marked + 1])}${unit}: ${answersCounted(counts[marked])}.`);
    if (above) said.push(`Above ${spelled(edges.at(-1))}${unit}, not drawn: ${answersCounted(above)}.`);
    if (below) said.push(`Below ${spelled(edges[0])}${unit}, not drawn: ${answersCounted(below)}.`);
    return together(bars, ...said.map((one) => make("p", "", one)));
  },
  arrange({ items, right }, { orders }, { all }) {
    return rows(orders.map(({ order, count }) => ({
      name: order.map((at) => plain(items[at])).join(", "), share: count / all, value: String(count),
      isRight: right !== null && order.every((at, rank) => at === right[rank]),
    })));
  },
  // The words that the lecturer has approved.
  words(_, { words, hidden }, { all }) {
    const bars = rows(words.map(({ word, count }) => ({ name: word, share: count / all, value: String(count), isRight: false })));
    return together(...(words.length ? [bars] : []), ...(hidden ? [make("p", "", `Not shown: ${answersCounted(hidden)}.`)] : []));
  },
  sketch(question, { mean, spread }, { largest }) {
    const field = make("div", "sketch");
    question.labels.forEach((label, at) => {
      const { own, truth, track, value } = rowOf(field, label);
      const part = (number) => 100 * Math.max(0, Math.min(1, number / largest));
      const [low, high] = [part(mean[at] - spread[at]), part(mean[at] + spread[at])];
      own.style.width = `${part(mean[at])}%`;
      if (question.right) truth.style.width = `${part(question.right[at])}%`;
      const whisker = make("div", "spread");
      Object.assign(whisker.style, { left: `${low}%`, width: `${high - low}%` });
      track.append(whisker);
      const is = question.right ? ` · right: ${spelt(question, question.right[at])}` : "";
      value.textContent = `${spelt(question, mean[at])} ± ${spelt(question, spread[at])}${is}`;
    });
    return field;
  },
};

const nearness = {
  arrange: (_, { nearness: { pairs, counts } }, { near: most }) => (
    columns(counts, pairs.map(String), { most, said: "Pairs in the wrong order" })
  ),
  sketch: (question, { nearness: { edges, counts } }, { near: most }) => (question.shares
    ? columns(counts, edges.slice(0, -1).map((edge) => `${Math.round(100 * edge)}`), { most, said: "How much of a drawing belongs elsewhere, in %" })
    : columns(counts, binned(edges, 1), { most, said: `How far a bar is off on average, in ${question.unit || "numbers"}` })),
};

// Spells the edges of bins with enough decimals to tell them apart.
function spelledIn(edges, decimals) {
  const wide = Math.min(...edges.slice(1).map((edge, at) => edge - edges[at]));
  let needed = Math.max(decimals, wide > 0 && wide < 1 ? Math.ceil(-Math.log10(wide)) : 0);
  while (needed < 6 && edges.some((edge) => Math.abs(Number(edge.toFixed(needed)) - edge) > wide / 20)) needed += 1;
  return (edge) => edge.toFixed(Math.min(needed, 6));
}

// The smallest value of each bin, its label.
const binned = (edges, decimals) => edges.slice(0, -1).map(spelledIn(edges, decimals));

function rows(all) {
  const field = make("div", "sketch");
  for (const { name, share, value, isRight } of all) {
    const row = rowOf(field, name);
    const [shown, other] = isRight ? [row.truth, row.own] : [row.own, row.truth];
    shown.style.width = `${100 * share}%`;
    other.remove();
    shown.hidden = share === 0;
    row.value.textContent = isRight ? `${value} ✓ right` : value;
  }
  return field;
}

// A histogram, with the bin of the right value marked.
function columns(counts, names, { most, said = "", marked = -1 }) {
  const node = make("div", "columns");
  node.setAttribute("role", "img");
  node.ariaLabel = `${said || "What was given"}: ${counts.map((count, at) => `from ${names[at]} ${count}`).join(", ")}`;
  counts.forEach((count, at) => {
    const one = make("div", at === marked ? "column marked" : "column");
    const bar = make("div", "bar");
    bar.style.height = `calc(var(--tallest) * ${count / most})`;
    bar.hidden = count === 0;
    one.append(make("span", "", count ? String(count) : ""), bar, make("small", "", names[at]));
    node.append(one);
  });
  return said ? together(make("p", "said", said), node) : node;
}

function together(...nodes) {
  const node = make("div", "together");
  node.append(...nodes);
  return node;
}

// A revealed round, as the hall sees it.
// The question is shown if the compared rounds have different questions.
function roundShown({ question, shown, count }, title, { isOther, scale }) {
  const node = make("section", "round");
  const head = [title, count ? answersCounted(count) : "Nobody has answered."].filter(Boolean).join(" · ");
  const asked = isOther ? [prose("p", question.text)] : [];
  const drawn = count ? [distributions[question.kind](question, shown, scale)] : question.solution ? [prose("p", `Right: ${question.solution}`)] : [];
  node.append(together(make("p", "said", head), ...asked, ...drawn));
  if (count && shown.nearness) node.append(nearness[question.kind](question, shown, scale));
  return node;
}

// Whether the rounds asked different questions, such as about another word after a switch.
const differ = (rounds) => new Set(rounds.map(({ question }) => question.text)).size > 1;

// The settings in which the rounds differ, such as "Mask: causal".
function differences(rounds) {
  const names = [...new Set(rounds.flatMap(({ settings }) => Object.keys(settings)))];
  const differing = names.filter((name) => new Set(rounds.map(({ settings }) => settings[name])).size > 1);
  // A setting of only one round is left out: it follows from another setting, as the seed does from random weights.
  const shared = differing.filter((name) => rounds.every(({ settings }) => name in settings));
  const told = shared.length ? shared : differing;
  return rounds.map(({ settings }) => told.map((name) => `${name}: ${settings[name] ?? "none"}`).join(", "));
}
