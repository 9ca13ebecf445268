// Search on every page, for the act "search". The server finds views for the typed text, and the visitor opens one in
// this tab, see entries.js. The box opens at once, so that the page gets none of the keys that follow.
const PAUSE = 120; // ms without typing before the server is asked

class Search {
  constructor(dialog) {
    const [input, close, said, list] = ["input", ".line button", "[role=status]", "[role=listbox]"].map((one) => dialog.querySelector(one));
    Object.assign(this, { dialog, input, said, list, asked: Date.now(), at: 0 }); // a number that no earlier page has asked
    input.oninput = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.question(), PAUSE);
    };
    dialog.onkeydown = (event) => this.press(event);
    dialog.onclick = (event) => this.click(event);
    dialog.onclose = () => this.leave();
    close.onclick = () => dialog.close();
  }

  open() {
    if (this.dialog.open) return this.input.select();
    this.input.value = window.attentionLabSearched ?? ""; // typed before this page was ready, see player.js
    delete window.attentionLabSearched;
    this.dialog.showModal();
    this.input.focus();
    return this.question();
  }

  question() {
    this.asked += 1;
    this.ask({ number: this.asked, text: this.input.value });
  }

  // Only the answer to the last request counts.
  hear({ number, views }) {
    if (number !== this.asked) return;
    this.list.replaceChildren(...views.map(rowOf));
    this.said.textContent = views.length ? "" : "No view has this among its names, controls and terms. Try another word.";
    this.choose(0);
  }

  choose(at) {
    const rows = [...this.list.children];
    this.at = Math.min(Math.max(at, 0), rows.length - 1);
    for (const [place, row] of rows.entries()) row.ariaSelected = String(place === this.at);
    if (!rows.length) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", rows[this.at].id);
    return rows[this.at].scrollIntoView({ block: "nearest" });
  }

  press(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by) this.choose(this.at + by);
    else if (event.key !== "Enter" || event.target !== this.input || event.isComposing) return;
    else this.list.children[this.at]?.click();
    event.preventDefault();
  }

  // A click beside the box or on a view closes it. With a key held, the browser opens the view in a new tab.
  click(event) {
    const isOpened = event.target.closest("a") && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (isOpened || event.target === this.dialog) this.dialog.close();
  }

  // In the player of a lecture, the player gets the keys again.
  leave() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.list.replaceChildren();
    this.said.textContent = "";
    window.attentionLabPlayedBy?.()?.takeFocus();
  }
}

function rowOf([name, question, href], at) {
  const row = Object.assign(document.createElement("a"), { href, id: `found_${at}`, role: "option", tabIndex: -1 });
  const [strong, small] = ["strong", "small"].map((tag) => document.createElement(tag));
  strong.textContent = name;
  small.textContent = question;
  row.append(strong, small);
  return row;
}

export default function ({ data, parentElement, setStateValue }) {
  const dialog = parentElement.querySelector("dialog");
  const search = (dialog.search ??= new Search(dialog));
  // A state and no trigger: a second run of the page, before the browser has drawn the first, answers it again.
  search.ask = (asked) => setStateValue("wanted", asked);
  search.hear(data);
  parentElement.querySelector(".opener").onclick = () => search.open();
  const act = (event) => {
    if (event.detail !== "search" || document.querySelector(".stApp").inert) return; // the presenter's window covers the app
    event.preventDefault();
    search.open();
  };
  document.addEventListener("act", act);
  return () => document.removeEventListener("act", act);
}
