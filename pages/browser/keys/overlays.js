// What lies over the whole page until it is asked to go: a black screen, and the list of the keys. Both hear acts as
// everything does, and are there once for a page.
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
    // Before all others: the first thing that Escape takes away is what lies on top.
    document.addEventListener("act", (event) => this.answer(event), { capture: true });
  }

  darken(isDark) {
    if (this.black.hidden !== isDark) return;
    this.black.hidden = !isDark;
    document.dispatchEvent(new CustomEvent("darkened", { detail: isDark }));
  }

  list() {
    // Only the app itself says whether it is light or dark, and this lies beside it.
    this.help.style.colorScheme = getComputedStyle(document.querySelector(".stApp")).colorScheme;
    this.help.hidden = !this.help.hidden;
  }

  get isOpen() {
    return !this.black.hidden || !this.help.hidden;
  }

  // A step leads out of the dark, as it does with slides, and is a step all the same; so does a search.
  answer(event) {
    const act = event.detail;
    if (["next", "back", "search"].includes(act)) {
      this.darken(false);
      this.help.hidden = true;
    }
    if (act === "black") this.darken(this.black.hidden);
    else if (act === "help") this.list();
    else if (act === "drop" && !this.black.hidden) this.darken(false);
    else if (act === "drop" && !this.help.hidden) this.help.hidden = true;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
