// What a hall has answered, drawn: what was given, with what is right laid over it, and who was how near.
const people = (n) => (n === 1 ? "1 answer" : `${n} answers`);

const distributions = {
  choose({ options, right }, { counts }) {
    const most = Math.max(1, ...counts);
    return rows(options.map(({ text }, at) => ({
      name: plain(text), share: counts[at] / most, value: String(counts[at]), isRight: at === right,
    })));
  },
  estimate(question, shown) {
    const { edges, counts, near } = shown;
    const at = counts.findIndex((_, bin) => question.right < edges[bin + 1]);
    const node = columns(counts, binned(edges, question.decimals), { marked: at < 0 ? counts.length - 1 : at });
    const within = question.near > 0 ? `Within ${quantity(question.near, question)} of it` : "Exactly that";
    return together(node, make("p", "", `The model: ${quantity(question.right, question)}. ${within}: ${people(near)}.`));
  },
  arrange({ items, right }, { orders }) {
    const most = Math.max(1, ...orders.map(({ count }) => count));
    return rows(orders.map(({ order, count }) => ({
      name: order.map((at) => plain(items[at])).join(", "), share: count / most, value: String(count),
      isRight: order.every((at, rank) => at === right[rank]),
    })));
  },
  sketch(question, { mean, spread }) {
    const field = make("div", "sketch");
    question.labels.forEach((label, at) => {
      const { own, truth, track, value } = rowOf(field, label);
      const part = (number) => 100 * Math.max(0, Math.min(1, number / question.largest));
      const [low, high] = [part(mean[at] - spread[at]), part(mean[at] + spread[at])];
      own.style.width = `${part(mean[at])}%`;
      truth.style.width = `${part(question.right[at])}%`;
      const whisker = make("div", "spread");
      Object.assign(whisker.style, { left: `${low}%`, width: `${high - low}%` });
      track.append(whisker);
      value.textContent = `${spelt(question, mean[at])} ± ${spelt(question, spread[at])} · is ${spelt(question, question.right[at])}`;
    });
    return field;
  },
};

const nearness = {
  estimate: (question, { nearness: { edges, counts } }) => (
    columns(counts, binned(edges, question.decimals), { said: `How far off, in ${question.unit || "numbers"}` })
  ),
  arrange: (_, { nearness: { pairs, counts } }) => (
    columns(counts, pairs.map(String), { said: "Pairs in the wrong order" })
  ),
  sketch: (question, { nearness: { edges, counts } }) => (question.shares
    ? columns(counts, edges.slice(0, -1).map((edge) => `${Math.round(100 * edge)}`), { said: "Total variation from the model, in %" })
    : columns(counts, binned(edges, 1), { said: `How far a bar is off on average, in ${question.unit || "numbers"}` })),
};

// The smallest value of each bin, which stands below it.
const binned = (edges, decimals) => {
  const wide = edges[1] - edges[0];
  const needed = Math.max(decimals, wide > 0 && wide < 1 ? Math.ceil(-Math.log10(wide)) : 0);
  return edges.slice(0, -1).map((edge) => edge.toFixed(Math.min(needed, 6)));
};

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

// A histogram, with a bin marked where what is right lies.
function columns(counts, names, { said = "", marked = -1 }) {
  const most = Math.max(1, ...counts);
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

// A round as the hall sees it once it is revealed.
// Its question is there where another round had another one.
function roundShown({ question, shown, count }, title, isOther) {
  const node = make("section", "round");
  const head = [title, count ? people(count) : "Nobody has answered."].filter(Boolean).join(" · ");
  const asked = isOther ? [prose("p", question.text)] : [];
  node.append(together(make("p", "said", head), ...asked, distributions[question.kind](question, shown)));
  if (count && nearness[question.kind]) node.append(nearness[question.kind](question, shown));
  return node;
}

// Whether the rounds have asked different questions, as of another word after another switch.
const differ = (rounds) => new Set(rounds.map(({ question }) => question.text)).size > 1;

// What the link sets in the one round and otherwise or not at all in the other, such as "Mask: causal".
function differences(rounds) {
  const names = [...new Set(rounds.flatMap(({ settings }) => Object.keys(settings)))];
  const differing = names.filter((name) => new Set(rounds.map(({ settings }) => settings[name])).size > 1);
  return rounds.map(({ settings }) => differing.map((name) => `${name}: ${settings[name] ?? "default"}`).join(", "));
}
