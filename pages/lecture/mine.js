// The visitor's own lecture: kept and edited in this browser. The server writes and reads its file and packs it into a
// link, but keeps nothing.
const FORMATS = { "Slides (PPTX)": "pptx", "Slides (PDF)": "pdf", "Hand-out (HTML)": "html" };

// The name of a file for a title.
function fileName(title) {
  const plain = title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${plain.replace(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || "lecture"}.toml`;
}

class Editor {
  constructor(root) {
    Object.assign(this, { root, asked: new Map(), numbers: 0, before: null });
    this.build();
  }

  build() {
    this.title = make("input", "", "", { oninput: () => this.keep({ ...readLecture(), title: this.title.value }) });
    this.file = make("input", "", "", { type: "file", accept: ".toml,text/plain", hidden: true, ariaLabel: "A lecture as a TOML file", onchange: () => this.upload() });
    this.ready = make("select", "", "", { ariaLabel: "Add the steps of", onchange: () => this.take() });
    this.slide = make("select", "", "", { ariaLabel: "Add a slide", onchange: () => this.addSlide() });
    const kinds = [["", "Add a slide …"], ...Object.entries(KINDS)].map(([value, text]) => make("option", "", text, { value }));
    this.slide.append(...kinds);
    this.withNotes = make("input", "", "", { type: "checkbox", checked: true });
    const notes = make("label", "check");
    notes.append(this.withNotes, "with notes");
    this.whole = ["Give the lecture", "Download", "Slides (PPTX)", "Slides (PDF)", "Hand-out (HTML)", "Link that holds it", "Print"].map((text) => button(text, () => this.act(text)));
    const [give, download, slides, pages, handout, link, printing] = this.whole;
    const acts = make("div", "acts");
    acts.append(give, download, slides, pages, handout, button("Upload", () => this.file.click()), link, printing, notes, this.slide, this.ready, this.file);
    this.said = make("div", "said", "", { role: "status" });
    this.steps = make("ol", "steps");
    this.root.replaceChildren(field("Title of the lecture", this.title), acts, this.said, this.steps);
  }

  // The server's data: the lectures that are ready, and perhaps the answer to a request.
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

  // Replaces the lecture; the visitor can take it back.
  exchange(lecture, said) {
    this.before = readLecture();
    this.keep(lecture);
    this.draw();
    this.say(said, "status", button("Take it back", () => {
      this.keep(this.before);
      this.draw();
      this.say("The change was taken back.");
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
      if (what === "Give the lecture") window.attentionLabEntries.leave(address);
      else if (what === "Download") this.download(toml);
      else if (what in FORMATS) this.slides(packed, FORMATS[what]);
      else this.show(address, lecture.step.filter(({ picture }) => picture).length);
    });
  }

  download(toml) {
    const href = URL.createObjectURL(new Blob([toml], { type: "application/toml" }));
    const name = fileName(this.title.value);
    make("a", "", "", { href, download: name }).click();
    URL.revokeObjectURL(href);
    this.say(`Saved as ${name}: it can be edited, and uploaded again.`);
  }

  // A file of slides, which the server makes from the link that holds the lecture.
  async slides(packed, format) {
    const order = new URLSearchParams({ link: `/lecture?deck=${packed}`, format, theme: themeHere() });
    this.say("The file is being made: about a second for each picture.");
    const pictures = readLecture().step.map(({ picture }) => picture).filter(Boolean);
    try {
      this.say(await fetchFile(window.attentionLabAddress(`/figures/file?${order}`), undefined, undefined, pictures));
    } catch (error) {
      this.say(error.message, "alert");
    }
  }

  show(address, n) {
    if (n) {
      this.say(`A link has no room for ${n === 1 ? "the picture" : `the ${n} pictures`} of this lecture: download the file and send it instead.`, "alert");
      return;
    }
    const box = make("input", "", "", { value: address, readOnly: true, ariaLabel: "The link that holds the lecture" });
    const long = address.length > this.data.long_link
      ? `This link has ${address.length.toLocaleString("en")} characters: some programs cut off links longer than `
        + `${this.data.long_link.toLocaleString("en")}. Send the file instead.`
      : `The link has ${address.length.toLocaleString("en")} characters. It holds the whole lecture with its notes.`;
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
      this.say(`This file is too large: a lecture has at most ${this.data.largest / 1048576} MB.`, "alert");
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer()); // the server names the mistakes in them
    const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    this.question({ file: letters }, ({ deck }) => this.exchange(deck, `${file.name} has replaced the lecture that was here.`));
  }

  addSlide() {
    const kind = this.slide.value;
    this.slide.value = "";
    const lecture = readLecture();
    const n = lecture.step.length;
    if (kind) this.insert(lecture, n, emptyStep(kind), `Step ${n + 1} is a new slide.`);
  }

  insert(lecture, at, step, said) {
    lecture.step.splice(at, 0, step);
    this.keep(lecture);
    this.leave();
    this.draw();
    this.say(said);
    this.steps.children[at]?.querySelector(".texts input")?.focus();
  }

  copy(at) {
    const lecture = readLecture();
    this.insert(lecture, at + 1, { ...lecture.step[at] }, `Step ${at + 2} is a copy of step ${at + 1}.`);
  }

  take() {
    const name = this.ready.value;
    this.ready.value = "";
    if (!name) return;
    this.question({ take: name }, ({ deck }) => {
      const { title, about, step } = readLecture();
      this.exchange({ title: title || deck.title, about: about || (step.length ? "" : deck.about), step: [...step, ...deck.step] }, `${deck.step.length} steps have been added.`);
    });
  }

  draw() {
    const lecture = readLecture();
    if (this.root.getRootNode().activeElement !== this.title) this.title.value = lecture.title;
    const n = lecture.step.length;
    for (const one of this.whole) one.disabled = n === 0;
    const opened = [...this.steps.querySelectorAll("details")].map((one) => one.open);
    const { pictures, longest, largest_picture: most, wrong_right: wrongRight, katex: katexAddress } = this.data;
    const say = (...said) => this.say(...said);
    const same = this.drawn && this.drawn.length === n && lecture.step.every((one, at) => drawnOf(one) === this.drawn[at]);
    if (same && this.steps.contains(this.root.getRootNode().activeElement)) return; // the visitor is typing there
    this.drawn = lecture.step.map(drawnOf);
    this.steps.replaceChildren(...lecture.step.map((step, at) => stepNode({ ...step, isOpen: same && opened[at] }, at, n, {
      ...{ pictures, longest, most, wrongRight, katexAddress, say },
      change: (name, value, isDrawn) => this.change(at, name, value, isDrawn),
      move: (by) => this.move(at, by),
      drop: (from) => this.move(from, at - from),
      copy: () => this.copy(at),
      remove: () => this.remove(at),
    })));
    if (n === 0) this.steps.append(make("li", "empty", "This lecture has no steps yet. Press “+ Add to lecture” at the top of any page to add its view. Or add a slide, or the steps of a lecture that is ready."));
  }

  change(at, name, value, isDrawn = false) {
    const lecture = readLecture();
    if (!lecture.step[at]) return; // another tab has removed the step
    lecture.step[at][name] = value;
    this.keep(lecture);
    if (!isDrawn) return;
    const wasOpen = [...this.steps.querySelectorAll("details")].map((one) => one.open);
    this.leave();
    this.draw();
    this.steps.querySelectorAll("details").forEach((one, place) => { one.open = wasOpen[place]; });
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

  // The focused element is drawn anew with the others.
  leave() {
    this.root.getRootNode().activeElement?.blur();
  }

  remove(at) {
    const lecture = readLecture();
    const [gone] = lecture.step.splice(at, 1);
    this.leave();
    this.exchange(lecture, `Step ${at + 1} was removed${gone?.title ? `: ${gone.title}` : ""}.`);
    (this.steps.children[Math.min(at, lecture.step.length - 1)] ?? this.steps).querySelector("button:not(:disabled)")?.focus();
  }
}

// The parts of a step that decide its fields: if they change, the step is drawn anew.
const drawnOf = ({ link, kind, picture, answer_kind: asked }) => [link, kind, picture.length, asked].join(" ");

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".mine") ?? parentElement.appendChild(make("section", "mine", "", { ariaLabel: "My lecture" }));
  const editor = (root.editor ??= new Editor(root));
  editor.hear(data, (asked) => setTriggerValue("ask", asked));
  // A change in another tab.
  const follow = ({ type, key }) => (type === "storage" && key !== KEPT_LECTURE) || editor.isMine || editor.draw();
  const lay = () => layPlan(readLecture(), { pictures: data.printed, withNotes: editor.withNotes.checked });
  // The key with which a remote starts a show. Without a lecture, the browser reloads the page.
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
