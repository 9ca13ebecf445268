// The panel with the options for saving a picture. It previews the file with these options.
const FORMATS = [["svg", "SVG"], ["svg-outlines", "SVG, outlines"], ["png", "PNG 2×", { scale: "2" }], ["png", "PNG 4×", { scale: "4" }],
  ["pdf", "PDF"], ["pptx", "PPTX"], ["csv", "CSV"], ["html", "HTML"]];
const OF_ALL = [["zip", "ZIP"], ["pptx", "Slides (PPTX)"]];
const SAID = { transparent: "No background", title: "Title, and a line with sentence, model and changed settings", qr: "QR code of the link" };

function make(tag, more = {}, ...nodes) {
  const node = Object.assign(document.createElement(tag), more);
  node.append(...nodes);
  return node;
}

class SavePanel {
  constructor(root, data) {
    Object.assign(this, { root, data, options: readOptions(data), made: "", drawing: null, saving: null, pressed: [] });
    this.build();
  }

  build() {
    this.image = make("img", { hidden: true });
    this.status = make("p", { className: "status", role: "status" });
    this.which = make("select", { onchange: () => this.show(this.which.value) });
    this.choice = make("label", { className: "field" }, make("span", { textContent: "Picture" }), this.which);
    this.files = make("div", { className: "files" });
    const close = make("button", { type: "button", className: "close", textContent: "Close", onclick: () => this.dialog.close() });
    const options = make("div", { className: "options" }, this.choice, this.radios("preset", "Shape"), this.radios("theme", "Colours"),
      make("div", { className: "switches" }, ...Object.keys(SAID).map((name) => this.check(name))), this.files);
    const body = make("div", { className: "body" }, make("div", { className: "preview" }, this.image), options);
    const heading = make("h2", { id: "saving_heading", textContent: "Save the picture", tabIndex: -1 });
    this.dialog = make("dialog", { role: "dialog" }, make("header", {}, heading, close), body, this.status);
    this.dialog.setAttribute("aria-labelledby", heading.id);
    this.dialog.onclose = () => this.left();
    this.dialog.onclick = ({ target }) => { if (target === this.dialog) this.dialog.close(); }; // a click beside the panel
  }

  radios(name, legend) {
    const all = this.data[`${name}s`].map(([value, text]) => make("label", {},
      make("input", { type: "radio", name, value, onchange: () => this.choose(name, value) }), make("span", { textContent: text })));
    return make("fieldset", { className: name }, make("legend", { textContent: legend }), make("div", {}, ...all));
  }

  check(name) {
    const input = make("input", { type: "checkbox", name, onchange: () => this.choose(name, input.checked) });
    return make("label", {}, input, make("span", { textContent: SAID[name] }));
  }

  choose(name, value) {
    this.options[name] = value;
    keepOptions(this.options);
    this.show(this.key);
  }

  // Opens the panel for a picture of the page in its current state.
  async open(key, seen) {
    const held = seen && `${seen}.${Date.now()}`; // a running training is held, so that all formats show the same step
    Object.assign(this, { link: linkHere(), seen: held, formats: [], pictures: [], trigger: document.activeElement });
    const theme = themeOf(this.options);
    for (const input of this.dialog.querySelectorAll("input")) {
      const chosen = input.name === "theme" ? theme : this.options[input.name];
      input.checked = input.type === "radio" ? input.value === chosen : chosen;
    }
    this.choice.hidden = true;
    this.files.replaceChildren();
    this.root.append(this.dialog); // a closed panel is not part of the page's text
    this.dialog.showModal();
    addEventListener("popstate", () => this.dialog.close(), { once: true }); // Back leads to another page
    this.dialog.querySelector(`input[name=preset]:checked`).focus();
    await Promise.all([this.show(key), this.ask()]);
  }

  // Asks for the pictures of the view and their formats.
  async ask() {
    const request = { link: this.link, ...(this.seen && { seen: this.seen }) };
    try {
      this.asking = new AbortController();
      const answer = await fetched(window.attentionLabAddress(`/figures/pictures?${new URLSearchParams(request)}`), this.asking.signal);
      const { pictures, formats, missing, has_address: hasAddress } = await answer.json();
      Object.assign(this, { pictures, formats });
      this.which.replaceChildren(...pictures.map(({ key, title }) => make("option", { value: key, textContent: title })));
      this.which.value = this.key;
      this.choice.hidden = pictures.length < 2;
      this.allowCode(hasAddress);
      if (missing) this.say(missing, "alert");
      this.describe();
      this.offer();
    } catch (error) {
      this.fail(error);
    }
  }

  // Phones cannot open a page at an address such as localhost.
  allowCode(isAllowed) {
    const input = this.dialog.querySelector("input[name=qr]");
    input.disabled = !isAllowed;
    input.nextElementSibling.textContent = isAllowed ? SAID.qr : `${SAID.qr} (not from localhost)`;
    if (isAllowed || !this.options.qr) return;
    input.checked = false;
    this.choose("qr", false);
  }

  // The preview is the SVG file; the other formats look the same.
  async show(key) {
    this.key = key;
    this.drawing?.abort();
    const mine = (this.drawing = new AbortController());
    this.offer();
    this.dialog.classList.add("drawing");
    if (!this.pressed.length) this.telling = mine;
    const say = (text) => this.telling === mine && this.say(text); // a later message about a file stays
    say("Drawing the picture …");
    try {
      const answer = await fetched(addressOf({ ...this.request(), format: "svg", inline: "1" }), mine.signal, say);
      const url = URL.createObjectURL(await answer.blob());
      if (mine.signal.aborted) return URL.revokeObjectURL(url);
      URL.revokeObjectURL(this.made);
      this.made = this.image.src = url;
      this.image.hidden = false;
      say(warningOf(answer));
    } catch (error) {
      if (mine.signal.aborted) return undefined;
      this.image.hidden = true;
      this.fail(error);
    }
    return this.dialog.classList.remove("drawing");
  }

  request(key = this.key) {
    return orderOf(this.link, key, this.options, this.seen);
  }

  describe() {
    const { title = "", alt = "" } = this.pictures.find(({ key }) => key === this.key) ?? {};
    this.image.alt = `${title}. ${alt}`;
  }

  offer() {
    this.describe();
    const [, , isSlide] = this.data.presets.find(([name]) => name === this.options.preset);
    const ofShape = this.formats.filter((format) => isSlide || format !== "pptx");
    const row = (name, formats, key, own = formats.map(([format]) => format)) => {
      const made = formats.filter(([format]) => [this.formats, own, ofShape].every((all) => all.includes(format)));
      const links = made.map(([format, text, more]) => this.lead(format, text, key, more));
      return links.length ? [make("h3", { textContent: name }), make("div", {}, ...links)] : [];
    };
    const own = this.pictures.find(({ key }) => key === this.key)?.formats; // some pictures have no CSV of their own
    const all = this.pictures.length > 1 ? row("All pictures of this view", OF_ALL, "") : [];
    this.files.replaceChildren(...row("Save as", FORMATS, this.key, own), ...all);
  }

  lead(format, text, key, more = {}) {
    const href = addressOf({ ...this.request(key), format, ...more });
    const link = make("a", { href, download: "", textContent: text });
    link.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.save(href, text);
    };
    return link;
  }

  // Files are made one after the other, in the order of the presses.
  async save(...file) {
    this.pressed.push(file);
    if (this.pressed.length > 1) return this.tell();
    const mine = (this.telling = this.saving = new AbortController());
    let role = "status";
    for (this.results = []; this.pressed.length; this.pressed.shift()) {
      const [[href, text]] = this.pressed;
      this.tell("being made …");
      try {
        this.results.push(await fetchFile(href, mine.signal, (place) => this.tell(place)));
      } catch (error) {
        if (mine.signal.aborted) return undefined;
        this.results.push(`${text}: ${error.message}`);
        role = "alert";
      }
    }
    return this.say(this.results.join(" · "), role);
  }

  // Shows the saved files, the place of the next file in the queue of all visitors, and the files after it.
  tell(place = this.place) {
    this.place = place;
    const [[, text], ...next] = this.pressed;
    this.say([...this.results, `${text}: ${place}`, ...next.map(([, other]) => `Then ${other}.`)].join(" · "));
  }

  say(text, role = "status") {
    this.status.setAttribute("role", role);
    this.status.textContent = text;
  }

  fail(error) {
    if (error.name !== "AbortError") this.say(error.message, "alert");
  }

  // Stops all waiting. The browser gives the focus back to the button; a redrawn button gets it here.
  left() {
    this.dialog.remove();
    for (const one of [this.asking, this.drawing, this.saving]) one?.abort();
    this.pressed = [];
    if (!this.trigger?.isConnected) document.querySelector(`.${SAVE}[data-key="${CSS.escape(this.key)}"]`)?.focus();
  }
}

export default function ({ data, parentElement }) {
  const panel = (parentElement.savePanel ??= new SavePanel(parentElement, data));
  const open = (key) => panel.open(key || pictureInSight(), document.querySelector("[data-seen]")?.dataset.seen);
  let pending = 0;
  const put = () => {
    pending = 0;
    putButtons(open);
  };
  const observer = new MutationObserver(() => { pending ||= requestAnimationFrame(put); });
  observer.observe(document.body, { childList: true, subtree: true });
  put();
  // The panel gets all keys while it is open.
  const answer = (event) => {
    if (panel.dialog.open) {
      if (event.detail === "dismiss") panel.dialog.close();
    } else if (event.detail !== "save" || !pictureInSight()) return;
    else open("");
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const lead = (event) => {
    const link = event.target.closest?.(`a[download][href^="${window.attentionLabAddress("/figures/file")}"]`);
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) followLink(link, event);
  };
  document.addEventListener("act", answer, { capture: true });
  document.addEventListener("click", lead);
  return () => {
    cancelAnimationFrame(pending);
    observer.disconnect();
    document.removeEventListener("act", answer, { capture: true });
    document.removeEventListener("click", lead);
  };
}
