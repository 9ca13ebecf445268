// Overlays of the whole page: a black screen, and the list of the keys. Both listen to acts, and a page has one of
// each.
function overlay(kind, parts) {
  const made = document.createElement("div");
  made.className = kind;
  made.hidden = true;
  made.append(...parts);
  document.body.append(made);
  return made;
}

function listOf(keys) {
  const list = document.createElement("dl");
  for (const [key, what] of Object.entries(keys)) {
    const [name, meaning] = ["dt", "dd"].map((tag) => document.createElement(tag));
    name.textContent = key;
    meaning.textContent = what;
    list.append(name, meaning);
  }
  return list;
}

class Overlays {
  constructor(keys) {
    const title = Object.assign(document.createElement("h2"), { textContent: "Keys" });
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close (Esc)" });
    this.help = overlay("keys_of_the_page", [title, listOf(keys), close]);
    Object.assign(this.help, { role: "region", ariaLabel: "Keys" });
    this.black = overlay("black_screen", []);
    close.onclick = () => { this.help.hidden = true; };
    this.black.onclick = () => this.darken(false);
    // This listener comes before all others, so Escape first closes the overlay on top.
    document.addEventListener("act", (event) => this.answer(event), { capture: true });
  }

  darken(isDark) {
    if (this.black.hidden !== isDark) return;
    this.black.hidden = !isDark;
    document.dispatchEvent(new CustomEvent("darkened", { detail: isDark }));
  }

  list() {
    // The list is outside the app element, so it has to copy its colour scheme.
    this.help.style.colorScheme = getComputedStyle(document.querySelector(".stApp")).colorScheme;
    this.help.hidden = !this.help.hidden;
  }

  get isOpen() {
    return !this.black.hidden || !this.help.hidden;
  }

  // A step ends the black screen, as in slide programs, and still counts as a step. A search ends it, too.
  answer(event) {
    const act = event.detail;
    if (["next", "back", "search"].includes(act)) {
      this.darken(false);
      this.help.hidden = true;
    }
    if (act === "black") this.darken(this.black.hidden);
    else if (act === "help") this.list();
    else if (act === "dismiss" && !this.black.hidden) this.darken(false);
    else if (act === "dismiss" && !this.help.hidden) this.help.hidden = true;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
