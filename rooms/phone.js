// The page of a phone: the question and its field. About every two seconds, at random times, it asks the server for
// news. It sends an answer again until the server has received it.
const LOOKS = [1500, 2500]; // ms from one request to the next
const LONGEST_REST = 15000; // ms after a failure, if many have failed before it
const room = document.querySelector("#room");
const address = new URL(`../${room.dataset.code}`, import.meta.url); // this script is at /room/files/…
const phone = { tag: "", state: null, failures: 0, timer: null, sending: 0, refused: "" };

const received = make("p", "received");
const trouble = make("p", "trouble");
received.setAttribute("role", "status");
trouble.setAttribute("role", "alert");
const body = make("div");
room.append(body, received, trouble);

function tell(where, said) {
  where.textContent = said;
  where.hidden = !said;
}

function end(said) {
  clearTimeout(phone.timer);
  phone.timer = null;
  phone.hasEnded = true;
  body.replaceChildren();
  tell(received, "");
  tell(trouble, said);
}

function rest() {
  const [least, most] = LOOKS;
  const usual = least + Math.random() * (most - least);
  return Math.min(usual * 2 ** phone.failures, LONGEST_REST);
}

function lookLater() {
  clearTimeout(phone.timer);
  if (!phone.hasEnded) phone.timer = setTimeout(look, rest());
}

function fail(said) {
  phone.failures += 1;
  tell(trouble, said);
}

async function look() {
  if (document.hidden || phone.isLooking) return lookLater();
  phone.isLooking = true;
  try {
    const headers = phone.tag ? { "If-None-Match": phone.tag } : {};
    const answer = await fetch(`${address}/state`, { headers, cache: "no-store" });
    const hasEnded = answer.status === 410 || (answer.status === 404 && phone.state); // the server deletes old rooms
    if (hasEnded) return end("This room is closed.");
    if (answer.status === 404) return end("This room is not open for this phone: scan the code on the lecturer's screen, and let this page keep a cookie.");
    if (answer.status !== 304 && !answer.ok) return fail("The server is busy: this page tries again by itself.");
    phone.failures = 0;
    if (!phone.isUnsent) tell(trouble, phone.refused);
    if (answer.status === 200) {
      phone.tag = answer.headers.get("ETag") ?? "";
      phone.state = await answer.json();
      show();
    }
  } catch {
    fail("No connection at the moment: this page tries again by itself.");
  } finally {
    phone.isLooking = false;
    lookLater();
  }
}

function show() {
  const { round, question, revealed, mine, once_more: again, is_same: isSame } = phone.state;
  forgetRefusal();
  if (!round) {
    body.replaceChildren(make("p", "", "The question comes by itself."));
    return;
  }
  const box = make("section", "box");
  box.append(prose("h1", question.text, "question"), ...situation(question, again, isSame));
  if (revealed) box.append(...resolved(question, mine));
  else box.append(FIELDS[question.kind].field(question, (given) => send(round, given)));
  body.replaceChildren(box);
  tellReceived(revealed ? null : mine);
}

const resolved = (question, mine) => [
  mine === null ? unanswered(question) : resolution(question, mine),
  make("small", "", "The next question comes by itself."),
];

function tellReceived(mine) {
  markChosen(mine);
  const said = mine === null ? "" : `Received: ${answered(phone.state.question, mine)}. You can change it until the answer is shown.`;
  tell(received, said);
}

// The chosen option stays marked: by its frame, and for screen readers.
function markChosen(mine) {
  const { question, revealed } = phone.state;
  if (question.kind !== "choose" || revealed) return;
  body.querySelectorAll(".options button").forEach((one, at) => one.setAttribute("aria-pressed", at === mine));
}

// The reason of a refusal is shown until another answer is begun.
function forgetRefusal() {
  if (!phone.refused) return;
  phone.refused = "";
  tell(trouble, "");
}

// Sends until the server has received it. The last answer counts, so it may arrive more than once.
async function send(round, given, tries = 0) {
  const sending = tries ? phone.sending : ++phone.sending;
  phone.isUnsent = true;
  try {
    const answer = await fetch(`${address}/answer`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ round, answer: given }),
    });
    if (sending !== phone.sending) return;
    if (answer.status >= 500 || answer.status === 429) throw new Error(answer.status);
    phone.isUnsent = false;
    const said = await answer.json();
    phone.refused = answer.ok ? "" : said.refused;
    tell(trouble, phone.refused);
    if (answer.ok && phone.state.round === round) {
      phone.state.mine = said.received;
      if (!phone.state.revealed) tellReceived(said.received);
    }
  } catch {
    if (sending !== phone.sending || phone.hasEnded) return;
    tell(trouble, "Not received yet: this page tries again by itself.");
    const wait = Math.min(500 * 2 ** tries, LONGEST_REST) * (0.5 + Math.random());
    setTimeout(() => sending === phone.sending && send(round, given, tries + 1), wait);
  }
}

body.addEventListener("input", forgetRefusal);
document.addEventListener("visibilitychange", () => document.hidden || look());
tell(received, "");
tell(trouble, "");
look();
