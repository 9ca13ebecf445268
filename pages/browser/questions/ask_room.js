// The room of this tab: its letters and the token that leads it, which no other tab has, and what the server says of it.
// After a reload, and with another process, it goes on.
const KEPT_ROOM = "attention-lab-room";
const ASKS = 700; // ms between two questions after the count
const RESTS = 4000; // ms once it is revealed, and after a failure
const CHANNEL = "attention-lab-room"; // where the presenter's window hears of it

class AskedRoom {
  constructor() {
    Object.assign(this, { kept: null, state: null, tag: "", made: null, refused: "", isAsking: false, setAside: 0 });
    Object.assign(this, { onChange: () => {}, onCount: () => {}, isSeen: () => false, code: null, timer: null });
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.onmessage = ({ data }) => data.asks && this.kept && this.tell();
    // The frames of a lecture are of one tab: a room that was opened in one of them goes on in the next.
    addEventListener("storage", ({ key }) => key === KEPT_ROOM && this.recall());
    document.addEventListener("act", (event) => {
      if (event.detail === "reveal" && this.isLive && this.isSeen()) this.send("reveal");
    });
    this.recall();
  }

  // The room of this tab, if there is one.
  recall() {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(KEPT_ROOM));
    } catch {
      // a browser that keeps nothing, or something else under this name
    }
    if (kept?.code === this.kept?.code) return;
    if (this.code) URL.revokeObjectURL(this.code);
    Object.assign(this, { kept, state: null, tag: "", code: null, setAside: 0 });
    if (kept) this.look();
    else this.onChange();
  }

  // The server has opened the room or asked in it, or says why not; each is said in many runs and heard once.
  hear(said) {
    if (!said || said.made === this.made) return;
    this.made = said.made;
    this.isAsking = false;
    this.refused = said.refused ?? "";
    if (said.code) {
      if (said.code !== this.kept?.code) this.forget();
      this.keep({ code: said.code, token: said.token });
      this.tag = "";
      this.look();
    }
    this.onChange();
  }

  keep(kept) {
    this.kept = kept;
    try {
      if (kept) sessionStorage.setItem(KEPT_ROOM, JSON.stringify(kept));
      else sessionStorage.removeItem(KEPT_ROOM);
    } catch {
      // then it is forgotten with the page
    }
  }

  forget() {
    clearTimeout(this.timer);
    if (this.code) URL.revokeObjectURL(this.code);
    Object.assign(this, { state: null, tag: "", code: null, setAside: 0 });
    this.keep(null);
    this.tell();
  }

  // The round that is asked now, and the one before it that asked the same.
  get rounds() {
    return this.state?.rounds ?? [];
  }

  get now() {
    return this.rounds.at(-1);
  }

  get isLive() {
    return this.now !== undefined && !this.now.revealed;
  }

  // The rounds of the view with this cover, unless the lecturer has turned to the next one.
  of(cover) {
    const { now } = this;
    if (!now || now.number === this.setAside || now.about.slice(0, now.about.lastIndexOf(" ")) !== cover) return [];
    return this.rounds;
  }

  fetch(what, options = {}) {
    const headers = { Authorization: `Bearer ${this.kept.token}`, ...options.headers };
    return fetch(window.attentionLabAddress(`/room/${this.kept.code}/${what}`), { cache: "no-store", ...options, headers });
  }

  async look() {
    clearTimeout(this.timer);
    const { kept } = this;
    if (!kept) return;
    let rest = RESTS;
    try {
      const answer = await this.fetch("owner", { headers: this.tag ? { "If-None-Match": this.tag } : {} });
      if (kept !== this.kept) return;
      if (answer.status === 404 || answer.status === 410) {
        this.forget();
        this.onChange();
        return;
      }
      if (answer.status === 200) this.take(await answer.json(), answer.headers.get("ETag") ?? "");
      if (answer.ok || answer.status === 304) rest = this.isLive ? ASKS : RESTS;
    } catch {
      // the next look may succeed
    }
    if (kept === this.kept) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), rest);
    }
  }

  take(state, tag) {
    const was = this.now;
    Object.assign(this, { state, tag });
    const isSame = was && was.number === this.now?.number && was.revealed === this.now.revealed;
    if (isSame) this.onCount();
    else this.onChange();
    this.tell();
  }

  tell() {
    const { now, kept } = this;
    this.channel.postMessage({ code: kept?.code ?? null, count: now?.count ?? 0, isRevealed: now?.revealed ?? false });
  }

  // The lecturer presses the button: whatever else covers the view opens with it, as by the key.
  reveal() {
    if (new URLSearchParams(location.search).has("cover")) document.dispatchEvent(new CustomEvent("act", { detail: "reveal", cancelable: true }));
    else this.send("reveal");
  }

  async send(what) {
    try {
      const answer = await this.fetch(what, { method: "POST" });
      if (what === "close" && answer.ok) {
        this.forget();
        this.onChange();
        return;
      }
    } catch {
      // said by the next look, which goes on
    }
    this.look();
  }

  // The QR code, asked for once.
  async picture(image) {
    const { kept } = this;
    if (!this.code) {
      const answer = await this.fetch("code.svg");
      if (!answer.ok || kept !== this.kept) return;
      this.code ??= URL.createObjectURL(await answer.blob());
    }
    image.src = this.code;
  }
}

const haveAnswered = (n) => (n === 0 ? "Nobody has answered yet" : n === 1 ? "1 has answered" : `${n} have answered`);
const isOfThisMachineAlone = () => /^(localhost|127\.|\[::1\])/.test(location.hostname);

// While the hall answers: where to go, and how many have.
function roomAsked(hall) {
  const node = make("div", "hall");
  const code = Object.assign(make("img"), { alt: `QR code of the room ${hall.kept.code}` });
  hall.picture(code);
  const larger = make("button", "code");
  Object.assign(larger, { type: "button", title: "As large as the window", onclick: () => enlarge(code.src, hall.kept.code, node) });
  larger.append(code);
  const words = make("div", "words");
  const count = make("p", "count", haveAnswered(hall.now.count));
  count.setAttribute("role", "status");
  hall.onCount = () => { count.textContent = haveAnswered(hall.now.count); };
  words.append(
    make("p", "", `Scan, or go to ${location.host}${window.attentionLabAddress("/room")} and type`), make("p", "letters", hall.kept.code), count,
    button("Reveal", () => hall.reveal(), "next"), button("Close the room", () => hall.send("close"), "quiet"),
  );
  if (isOfThisMachineAlone()) {
    words.append(make("p", "warning", `Phones cannot reach ${location.hostname}: open this page by the name that this machine has in the network.`));
  }
  node.append(larger, words);
  return node;
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

// Once it is revealed: what the hall has answered, and what in the round before it.
// From here it is asked again, or the next question is.
function roomRevealed(rounds, { again, next, close }) {
  const node = make("div", "revealed");
  const line = make("div", "options");
  line.append(button("Ask again", again, "next"));
  if (next) line.append(button("Next question", next, "next"));
  line.append(button("Close the room", close, "quiet"));
  const both = make("div", "rounds");
  const told = differences(rounds);
  rounds.forEach((round, at) => {
    const title = rounds.length > 1 ? [`Round ${at + 1}`, told[at]].filter(Boolean).join(" · ") : "";
    both.append(roundShown(round, title, differ(rounds)));
  });
  node.append(line, both, prose("p", rounds.at(-1).question.because));
  return node;
}
