// One's own lecture: kept in this browser, changed here. The server writes it as a file, reads a file, packs it into a
// link, and keeps nothing of it.
class Editor {
  constructor(root) {
    Object.assign(this, { root, asked: new Map(), numbers: 0, before: null });
    this.build();
  }

  build() {
    this.title = make("input", "", "", { oninput: () => this.keep({ ...readLecture(), title: this.title.value }) });
    this.file = make("input", "", "", { type: "file", accept: ".toml,text/plain", hidden: true, ariaLabel: "A lecture as a TOML file", onchange: () => this.upload() });
    this.ready = make("select", "", "", { ariaLabel: "Add the steps of", onchange: () => this.take() });
    this.withNotes = make("input", "", "", { type: "checkbox", checked: true });
    const notes = make("label", "check");
    notes.append(this.withNotes, "with notes");
    this.whole = ["Give the lecture", "Download", "Slides (PPTX)", "Slides (PDF)", "Link that holds it", "Print"].map((text) => button(text, () => this.act(text)));
    const [give, download, slides, pages, link, printing] = this.whole;
    const acts = make("div", "acts");
    acts.append(give, download, slides, pages, button("Upload", () => this.file.click()), link, printing, notes, this.ready, this.file);
    this.said = make("div", "said", "", { role: "status" });
    this.steps = make("ol", "steps");
    this.root.replaceChildren(field("Title of the lecture", this.title), acts, this.said, this.steps);
  }

  // What the server says: what there is, and perhaps the answer to something asked.
  hear(data, ask) {
    Object.assign(this, { data, ask });
    this.title.maxLength = data.longest.title;
    const ready = [["", "Add the steps of …"], ...data.decks].map(([value, text]) => make("option", "", text, { value }));
    this.ready.replaceChildren(...ready);
    const { number, refused, ...answer } = data.answer ?? {};
    const waiting = this.asked.get(number);
    this.asked.delete(number);
    if (waiting && refused) this.say(refused, "alert");
    else if (waiting) waiting(answer);
    this.draw();
  }

  question(asked, then) {
    this.numbers += 1;
    this.asked.set(this.numbers, then);
    this.ask({ ...asked, number: this.numbers });
  }

  keep(lecture) {
    this.isMine = true;
    keepLecture(lecture);
    this.isMine = false;
  }

  // Something that takes steps away, or brings others: it can be taken back.
  exchange(lecture, said) {
    this.before = readLecture();
    this.keep(lecture);
    this.draw();
    this.say(said, "status", button("Take it back", () => {
      this.keep(this.before);
      this.draw();
      this.say("It is as it was.");
    }));
  }

  say(text, role = "status", ...nodes) {
    this.said.setAttribute("role", role);
    this.said.replaceChildren(make("p", "", text), ...nodes);
  }

  act(what) {
    const lecture = readLecture();
    if (what === "Print") {
      printPlan(lecture, { pictures: this.data.printed, withNotes: this.withNotes.checked });
      return;
    }
    this.question({ write: lecture }, ({ toml, packed }) => {
      const address = location.origin + window.attentionLabAddress(`/lecture?deck=${packed}&step=1`);
      if (what === "Give the lecture") location.assign(address);
      else if (what === "Download") this.download(toml);
      else if (what === "Slides (PPTX)") this.slides(packed, "pptx");
      else if (what === "Slides (PDF)") this.slides(packed, "pdf");
      else this.show(address);
    });
  }

  download(toml) {
    const href = URL.createObjectURL(new Blob([toml], { type: "application/toml" }));
    make("a", "", "", { href, download: "lecture.toml" }).click();
    URL.revokeObjectURL(href);
    this.say("Saved as lecture.toml: it can be edited, and uploaded again.");
  }

  // A file of slides, which the server makes of the link that holds the lecture.
  async slides(packed, format) {
    const order = new URLSearchParams({ link: `/lecture?deck=${packed}`, format, theme: themeHere() });
    this.say("The slides are being made: about a second for each picture.");
    try {
      this.say(await fetchFile(window.attentionLabAddress(`/figures/file?${order}`)));
    } catch (error) {
      this.say(error.message, "alert");
    }
  }

  show(address) {
    const box = make("input", "", "", { value: address, readOnly: true, ariaLabel: "The link that holds the lecture" });
    const long = address.length > this.data.long_link
      ? `This link has ${address.length.toLocaleString("en")} characters: some programs cut off what is longer than `
        + `${this.data.long_link.toLocaleString("en")}. Send the file in its place.`
      : `The link has ${address.length.toLocaleString("en")} characters, and holds the whole lecture with its notes.`;
    this.say(long, "status", box, button("Copy it", () => {
      box.select();
      if (navigator.clipboard) navigator.clipboard.writeText(address).catch(() => document.execCommand("copy"));
      else document.execCommand("copy");
    }));
  }

  async upload() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    if (file.size > this.data.largest) {
      this.say(`This file is too large: a lecture has at most ${this.data.largest / 1024} KB.`, "alert");
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer()); // the server says what is wrong with them
    const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    this.question({ file: letters }, ({ deck }) => this.exchange(deck, `${file.name} has taken the place of what was here.`));
  }

  take() {
    const name = this.ready.value;
    this.ready.value = "";
    if (!name) return;
    this.question({ take: name }, ({ deck }) => {
      const { title, step } = readLecture();
      this.exchange({ title: title || deck.title, step: [...step, ...deck.step] }, `${deck.step.length} steps have been added.`);
    });
  }

  draw() {
    const lecture = readLecture();
    if (this.root.getRootNode().activeElement !== this.title) this.title.value = lecture.title;
    const n = lecture.step.length;
    for (const one of this.whole) one.disabled = n === 0;
    const opened = [...this.steps.querySelectorAll("details")].map((one) => one.open);
    const given = ({ link }) => ({ pictures: this.data.pictures, longest: this.data.longest, link });
    const same = this.drawn && this.drawn.length === n && lecture.step.every((one, at) => one.link === this.drawn[at]);
    if (same && this.steps.contains(this.root.getRootNode().activeElement)) return; // somebody is typing there
    this.drawn = lecture.step.map(({ link }) => link);
    this.steps.replaceChildren(...lecture.step.map((step, at) => stepNode({ ...step, isOpen: same && opened[at] }, at, n, {
      ...given(step),
      change: (name, value) => this.change(at, name, value),
      move: (by) => this.move(at, by),
      drop: (from) => this.move(from, at - from),
      remove: () => this.remove(at),
    })));
    if (n === 0) this.steps.append(make("li", "empty", "Nothing is collected yet. “+ Lecture”, at the top of every page, adds what it shows; or begin with the steps of a lecture that is ready."));
  }

  change(at, name, value) {
    const lecture = readLecture();
    if (!lecture.step[at]) return; // another tab has removed it
    lecture.step[at][name] = value;
    this.keep(lecture);
  }

  move(at, by) {
    const lecture = readLecture();
    lecture.step.splice(at + by, 0, ...lecture.step.splice(at, 1));
    this.keep(lecture);
    this.leave();
    this.draw();
    const [up, down] = this.steps.children[at + by].querySelectorAll(".moves button");
    const [pressed, other] = by < 0 ? [up, down] : [down, up];
    (pressed.disabled ? other : pressed).focus();
    this.say(`Now step ${at + by + 1}.`);
  }

  // What has the focus is drawn anew with the others.
  leave() {
    this.root.getRootNode().activeElement?.blur();
  }

  remove(at) {
    const lecture = readLecture();
    const [gone] = lecture.step.splice(at, 1);
    this.leave();
    this.exchange(lecture, `Step ${at + 1} is removed${gone?.title ? `: ${gone.title}` : ""}.`);
    (this.steps.children[Math.min(at, lecture.step.length - 1)] ?? this.steps).querySelector("button:not(:disabled)")?.focus();
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".mine") ?? parentElement.appendChild(make("section", "mine", "", { ariaLabel: "My lecture" }));
  const editor = (root.editor ??= new Editor(root));
  editor.hear(data, (asked) => setTriggerValue("ask", asked));
  const follow = () => editor.isMine || editor.draw(); // what another tab has changed
  const lay = () => layPlan(readLecture(), { pictures: data.printed, withNotes: editor.withNotes.checked });
  // The key with which a remote starts a show; without a lecture the browser loads the page again.
  const start = (event) => {
    if (event.detail !== "start" || !readLecture().step.length) return;
    event.preventDefault();
    editor.act("Give the lecture");
  };
  const heard = [[window, "storage", follow], [document, CHANGED, follow], [window, "beforeprint", lay], [document, "act", start]];
  for (const [where, event, act] of heard) where.addEventListener(event, act);
  return () => {
    for (const [where, event, act] of heard) where.removeEventListener(event, act);
    document.querySelector("#lecture_plan")?.remove();
  };
}
