// The room of this tab: its letters, the token that controls it, which no other tab has, and its state on the server.
// It survives a reload and a change of the server's process.
const KEPT_ROOM = "attention-lab-room";
const ASKS = 700; // ms between two requests for the count
const RESTS = 4000; // ms between requests after the reveal, and after a failure
const CHANNEL = "attention-lab-room"; // the channel to the presenter's window

class AskedRoom {
  // In a frame of a lecture it is idle, because the player has the room.
  constructor() {
    Object.assign(this, { kept: null, state: null, tag: "", refused: "", isAsking: false, setAside: 0, code: null, timer: null });
    Object.assign(this, { onChange: () => {}, onCount: () => {}, isSeen: () => false, isIdle: Boolean(window.attentionLabPlayedBy?.()) });
    if (this.isIdle) return;
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.onmessage = ({ data }) => this.hear(data);
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
      // the store is blocked, or the value is not JSON
    }
    if (kept?.code === this.kept?.code) return;
    if (this.code) URL.revokeObjectURL(this.code);
    Object.assign(this, { kept, state: null, tag: "", code: null, setAside: kept?.setAside ?? 0 });
    if (kept) this.look();
    else this.onChange();
  }

  // A presenter's window asks for the state, or says which words the hall may see.
  hear({ asks, approves }) {
    if (!this.kept) return;
    if (asks) this.tell();
    if (approves && approves.round === this.now?.number) this.approve(approves.words);
  }

  // Makes the server ask a question that it has sealed, in this room or in a new one. The `situation` is sealed, too: the
  // sentences and switches of the view. If the view is not as `prepared`, no answer is called right.
  async ask(sealed, about, situation = null, isPrepared = true) {
    if (this.isAsking) return;
    Object.assign(this, { isAsking: true, refused: "" });
    this.onChange();
    const { code, token } = this.kept ?? {};
    try {
      const answer = await fetch(window.attentionLabAddress("/room/ask"), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...sealed, about, situation, prepared: isPrepared, code, token }),
      });
      const said = await answer.json();
      if (answer.ok) {
        if (said.code !== this.kept?.code) this.forget();
        this.setAside = 0;
        this.keep({ code: said.code, token: said.token });
        this.tag = "";
        await this.look();
      } else {
        this.refused = said.refused;
      }
    } catch {
      this.refused = "The server does not answer: press the button once more.";
    }
    this.isAsking = false;
    this.onChange();
  }

  keep(kept) {
    this.kept = kept;
    try {
      if (kept) sessionStorage.setItem(KEPT_ROOM, JSON.stringify({ ...kept, setAside: this.setAside }));
      else sessionStorage.removeItem(KEPT_ROOM);
    } catch {
      // it lasts as long as the page
    }
  }

  // Hides a round, because the lecturer asks it again or asks something else.
  putAside(number) {
    this.setAside = number;
    this.keep(this.kept);
  }

  forget() {
    clearTimeout(this.timer);
    if (this.code) URL.revokeObjectURL(this.code);
    Object.assign(this, { state: null, tag: "", code: null, setAside: 0 });
    this.keep(null);
    this.tell();
  }

  // The current round, and the round before it with the same question.
  get rounds() {
    return this.state?.rounds ?? [];
  }

  get now() {
    return this.rounds.at(-1);
  }

  get isLive() {
    return this.now !== undefined && !this.now.revealed;
  }

  // The rounds about this view, except hidden ones.
  of(place) {
    const { now } = this;
    if (!now || now.number === this.setAside || now.about.slice(0, now.about.lastIndexOf(" ")) !== place) return [];
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
      if (kept.code !== this.kept?.code) return;
      if (answer.status === 404 || answer.status === 410) {
        this.forget();
        this.onChange();
        return;
      }
      if (answer.status === 200) this.take(await answer.json(), answer.headers.get("ETag") ?? "");
      if (answer.ok || answer.status === 304) rest = this.isLive || this.now?.words ? ASKS : RESTS;
    } catch {
      // the next request may succeed
    }
    if (kept.code !== this.kept?.code) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), rest);
  }

  take(state, tag) {
    const was = this.now;
    Object.assign(this, { state, tag });
    const { now } = this;
    const isSame = was && was.number === now?.number && was.revealed === now.revealed && `${was.approved}` === `${now.approved}`;
    if (isSame) this.onCount();
    else this.onChange();
    this.tell();
  }

  tell() {
    const { now, kept } = this;
    this.channel.postMessage({
      code: kept?.code ?? null, count: now?.count ?? 0, isRevealed: now?.revealed ?? false,
      round: now?.number ?? 0, words: now?.words ?? null, approved: now?.approved ?? [],
    });
  }

  // The lecturer presses the button: it also opens the view's other cover, as the key does.
  reveal() {
    if (new URLSearchParams(location.search).has("cover")) document.dispatchEvent(new CustomEvent("act", { detail: "reveal", cancelable: true }));
    else this.send("reveal");
  }

  approve(words) {
    return this.send("approve", { round: this.now.number, words });
  }

  async send(what, said) {
    const body = said && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(said) };
    try {
      const answer = await this.fetch(what, { method: "POST", ...body });
      if (what === "close" && answer.ok) {
        this.forget();
        this.onChange();
        return;
      }
    } catch {
      // the next request will show it
    }
    await this.look();
  }

  // The QR code, fetched once.
  async picture(image) {
    const { kept } = this;
    if (!this.code) {
      const answer = await this.fetch("code.svg");
      if (!answer.ok || kept.code !== this.kept?.code) return;
      this.code ??= URL.createObjectURL(await answer.blob());
    }
    image.src = this.code;
  }
}
