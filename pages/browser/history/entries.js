// The entries of the browser's history, before Streamlit's scripts: one for each page, and one for each act of a
// visitor on it. The server writes addresses; it marks an address that replaces the entry, see link.py.
const REPLACES = /[?&]~=([^&]*)$/; // the page of the mark
const PAUSE = 500; // ms without input, after which a change of a control is a new act
const EMBEDDING = ["embed", "embed_options"]; // Streamlit's parameters for a page without menus, in a frame of another site

class Entries {
  constructor() {
    // The browser keeps one history for all frames of a lecture. Back has to leave the lecture, not go through each frame.
    this.played = window.attentionLabPlayedBy() ? [] : null;
    this.push = history.pushState.bind(history);
    this.replace = history.replaceState.bind(history);
    Object.assign(this, { names: "", bout: 0, bouts: 0, touched: -Infinity, early: null });
    for (const kind of ["pointerdown", "keydown", "input"]) addEventListener(kind, () => this.touch(), { capture: true });
    history.pushState = (state, title, address) => this.write(address);
    history.replaceState = (state, title, address) => this.write(address, { replaces: true });
    addEventListener("popstate", () => this.tell());
    for (const kind of ["click", "auxclick"]) addEventListener(kind, (event) => keepEmbedding(event), { capture: true });
    addEventListener("click", (event) => this.follow(event)); // after scripts that handle the click themselves
  }

  write(address, { replaces = false } = {}) {
    const [now, next] = [new URL(location.href), new URL(String(address ?? location.href).replace(REPLACES, ""), location.href)];
    const isOther = next.pathname !== now.pathname;
    const about = REPLACES.exec(address)?.[1];
    // Streamlit may write the address of the next page before it leaves this one. The entry of this page must not change.
    if (!isOther && about !== undefined && about !== pageOf(now)) {
      this.early = { page: about, search: next.search };
      return;
    }
    if (isOther && this.early?.page === pageOf(next)) next.search = this.early.search;
    if (isOther) this.early = null;
    const names = differing(now.searchParams, next.searchParams).join();
    const isCorrected = !isOther && (replaces || !names || REPLACES.test(address));
    const goesOn = !isOther && names === this.names && this.bouts === this.bout;
    if (!isCorrected) Object.assign(this, { names, bout: this.bouts });
    const isAct = !isCorrected && !goesOn;
    if (this.played && isAct) this.played.push(now);
    if (this.played || !isAct) this.replace(history.state, "", next);
    else this.push({ entry: isOther ? 0 : this.entry + 1 }, "", next);
    this.tell();
  }

  touch() {
    const now = performance.now();
    if (now - this.touched > PAUSE) this.bouts += 1;
    this.touched = now;
  }

  // The number of acts on this page up to here.
  get entry() {
    return history.state?.entry ?? 0;
  }

  get canGoBack() {
    return this.played ? this.played.length > 0 : this.entry > 0;
  }

  goBack() {
    if (!this.canGoBack) return;
    if (this.played) this.visit(this.played.pop());
    else history.back();
  }

  // Takes parameters out of the address, as an act. Returns whether there were any.
  drop(names) {
    const left = new URL(location.href);
    const found = names.filter((name) => left.searchParams.has(name));
    for (const name of found) left.searchParams.delete(name);
    if (found.length) this.go(left);
    return found.length > 0;
  }

  go(address) {
    this.write(address);
    this.visit(location.href);
  }

  // Loads another page of the app from the server.
  leave(address) {
    location.assign(embedded(address));
  }

  // Makes the server show the page of an address, as Back does.
  visit(address) {
    this.replace(history.state, "", address);
    dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  }

  tell() {
    document.dispatchEvent(new CustomEvent("entered"));
  }

  // A link to a page of the app opens in the same tab, as in the menu. With another button or a held key the browser decides.
  follow(event) {
    const link = event.composedPath()[0].closest?.("a[href]:not([download])");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!leadsToPage(link)) return;
    event.preventDefault();
    this.go(atStop(link));
  }
}

window.attentionLabEntries = new Entries();

// A link on an embedded page opens an embedded page, in this tab or another.
function keepEmbedding(event) {
  const link = event.composedPath()[0].closest?.("a[href]:not([download])");
  const address = link?.getAttribute("href");
  if (link && embedded(address) !== address) link.setAttribute("href", embedded(address));
}

// Adds the parameters of an embedded page to an address of the app; other addresses do not change.
function embedded(address) {
  const [here, next] = [new URLSearchParams(location.search), new URL(address, location.href)];
  const names = EMBEDDING.filter((name) => here.has(name) && !next.searchParams.has(name));
  const isOutside = !next.href.startsWith(`${location.origin}${window.attentionLabBase}/`) || next.pathname.startsWith("//"); // another site
  if (!names.length || isOutside) return address;
  for (const name of names) here.getAll(name).forEach((value) => next.searchParams.append(name, value));
  return next.pathname + next.search + next.hash;
}

// Streamlit's menus (1.67) follow their own links.
const OF_MENUS = '[data-testid^="stSidebarNav"], [data-testid^="stTopNav"], [data-testid^="stPageLink"]';

function leadsToPage(link) {
  const { origin, pathname, hash } = new URL(link.href);
  const root = `${window.attentionLabBase}/`;
  if (origin !== location.origin || !pathname.startsWith(root) || hash || link.closest(OF_MENUS)) return false;
  return window.attentionLabPages.includes(pathname.slice(root.length).replace(/\/$/, ""));
}

// The address of a link. A link in the text of a stop keeps the stop; the path, the tiles and the search set it themselves.
function atStop(link) {
  const address = new URL(link.href);
  const stop = new URLSearchParams(location.search).get("stop");
  if (stop && !address.searchParams.has("stop") && !link.closest(".path, .tiles, [role=option]")) address.searchParams.set("stop", stop);
  return address.href;
}

const pageOf = ({ pathname }) => pathname.split("/").at(-1);

function differing(one, other) {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.getAll(name).join("\n") !== other.getAll(name).join("\n"));
}
