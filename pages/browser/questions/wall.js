// A room on the wall: before the reveal the address for phones, after it their answers.
const CLOSE_ROOM = "Close the room";
const ASKS_TO_CLOSE = 6000; // ms within which a second press closes the room
const haveAnswered = (n) => (n === 0 ? "Nobody has answered yet" : n === 1 ? "1 has answered" : `${n} have answered`);

// While the hall answers: the question with its options, the address, and the number of answers.
function roomAsked(hall, leave = null) {
  const node = make("div", "asked");
  const { question, number } = hall.now;
  const left = make("div", "left");
  const again = hall.rounds.length > 1 ? differences(hall.rounds).at(-1) : null;
  left.append(prose("p", question.text, "question"), ...situation(question, again, !differ(hall.rounds)), ...choices(question));
  const right = make("div", "right");
  const code = Object.assign(make("img"), { alt: `QR code of the room ${hall.kept.code}` });
  hall.picture(code);
  const larger = make("button", "code");
  Object.assign(larger, { type: "button", title: "As large as the window", onclick: () => enlarge(code.src, hall.kept.code, node) });
  larger.append(code);
  const count = make("p", "count", haveAnswered(hall.now.count));
  count.setAttribute("role", "status");
  hall.onCount = () => { if (hall.now?.number === number) count.textContent = haveAnswered(hall.now.count); };
  const { address, warning } = hall.state;
  right.append(larger, make("p", "where", `Scan, or go to ${address} and type`), make("p", "letters", hall.kept.code), count);
  if (warning) right.append(make("p", "warning", warning));
  const line = make("div", "options");
  line.append(button("Reveal", () => hall.reveal(), "next"));
  if (leave) line.append(button("Back to the step (Q)", leave, "quiet"));
  line.append(closing(hall));
  node.append(left, right, line);
  return node;
}

// The button that closes the room for every phone. It needs a second press within some seconds.
function closing(hall) {
  const close = () => {
    if (node.dataset.asks) return hall.send("close");
    Object.assign(node, { textContent: "Close it on every phone?" }).dataset.asks = "true";
    return setTimeout(() => {
      node.textContent = CLOSE_ROOM;
      delete node.dataset.asks;
    }, ASKS_TO_CLOSE);
  };
  const node = button(CLOSE_ROOM, close, "quiet");
  return node;
}

// The answers that phones can choose, order, draw or write.
function choices(question) {
  const list = (texts) => {
    const node = make("ul", "choices");
    node.append(...texts.map((text) => prose("li", text)));
    return [node];
  };
  const says = {
    choose: () => list(question.options.map(({ text }) => text)),
    arrange: () => [make("p", "", "Put them in order:"), ...list(question.items)],
    sketch: () => [make("p", "", "Draw a bar for each:"), ...list(question.labels.map(quotedMark))],
    estimate: () => [make("p", "", question.unit ? `A number, in ${question.unit}` : "A number")],
    words: () => [make("p", "", `${limitOf(question)} The lecturer reads it before the hall does.`)],
  };
  return says[question.kind]();
}

function enlarge(address, letters, node) {
  const dialog = make("dialog", "enlarged");
  const code = Object.assign(make("img"), { src: address, alt: "QR code of the room" });
  dialog.append(code, make("p", "letters", letters));
  dialog.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  node.append(dialog);
  dialog.showModal();
}

// After the reveal: the answers of the hall, and those of the round before.
// The lecturer can ask it again, or ask the next question.
function roomRevealed(hall, rounds, { again, next, leave }) {
  const node = make("div", "revealed");
  const told = differences(rounds);
  const scale = sharedScale(rounds);
  const both = make("div", "rounds");
  rounds.forEach((round, at) => {
    const title = rounds.length > 1 ? [`Round ${round.nth}`, told[at]].filter(Boolean).join(" · ") : "";
    both.append(roundShown(round, title, { isOther: differ(rounds), scale }));
  });
  const line = make("div", "options");
  line.append(button("Ask again", again, "next"));
  if (next) line.append(button("Next question", next, "next"));
  if (leave) line.append(button("Hide (Q)", leave, "quiet"));
  line.append(closing(hall));
  node.append(both);
  const { because } = rounds.at(-1).question;
  if (because) node.append(prose("p", because, "because"));
  node.append(line);
  return node;
}

// Writes the view's own choices for its question, such as a word, into the link. Asked again after a switch, the question
// is then about the same word.
function pin(page) {
  const address = new URL(page.location.href);
  for (const [name, value] of Object.entries(page.attentionLabOffered?.pins ?? {})) {
    if (!address.searchParams.has(name)) address.searchParams.set(name, value);
  }
  if (address.href !== page.location.href) page.attentionLabEntries.go(address);
}
