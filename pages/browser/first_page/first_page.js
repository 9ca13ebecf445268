// Runs in the first page that a browser gets, before anything of Streamlit does. It stands below room.js.

// Links are spelt from the root of the app, which may be served below another path, see base.py: the address of one here.
window.attentionLabAddress = (link) => (link.startsWith("/") ? window.attentionLabBase + link : link);

// Streamlit (1.67) looks for its server below the address of the page first, and a tenth of a second after the refusal
// one level above. It is told where the server is.
window.__streamlit = {
  ...window.__streamlit,
  BACKEND_BASE_URL: new URL(`${window.attentionLabBase}/`, location.href).href,
};

// The player of a lecture, see pages/lecture, in which a page is one of several frames.
window.attentionLabPlayedBy = () => {
  try {
    return parent === window ? undefined : parent.attentionLabPlayer;
  } catch {
    return undefined; // in a frame of another server
  }
};

// What a reload keeps, in this tab alone: what was revealed, and how the steps of a lecture were left.
window.attentionLabReload = {
  read(name) {
    const [{ type }] = performance.getEntriesByType("navigation");
    try {
      return type === "reload" ? JSON.parse(sessionStorage.getItem(name)) : null;
    } catch {
      return null; // a browser that keeps nothing, or something else under this name
    }
  },
  write(name, value) {
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch { /* Then it is lost with the page. */ }
  },
};

// The server hears with the visitor's first question what room their window has, and draws for it at once.
const probe = document.createElement("div");
probe.style.cssText = "position: absolute; visibility: hidden; width: 100px; overflow: auto; scrollbar-gutter: stable; "
  + "scrollbar-width: thin; scrollbar-color: transparent transparent"; // as frame.css and Streamlit (1.67) have it
document.documentElement.append(probe);
const scrollbar = probe.offsetWidth - probe.clientWidth;
probe.remove();
keepInCookie(roomOf(innerWidth - scrollbar, keptSidebar()));

// While the server computes the first answer the browser has nothing to do: what draws figures is made ready then, for
// that takes as long as all the rest of a page.
new MutationObserver((_, observer) => {
  if (!document.querySelector('[data-test-connection-state="CONNECTED"]')) return;
  observer.disconnect();
  setTimeout(() => import(DRAWS).catch(() => {})); // Streamlit says so, should it fail to come
}).observe(document, { attributeFilter: ["data-test-connection-state"], childList: true, subtree: true });

// nginx lets so many pages of an address in at once. Streamlit (1.67) tries again and again, and shows a grey page
// meanwhile: a page that still waits asks whether that is the reason, and says so until it is let in.
const isConnected = () => document.querySelector('[data-test-connection-state="CONNECTED"]');
const isFull = () => fetch(window.attentionLabAddress("/_stcore/stream"))
  .then(({ status }) => status === 429, () => false);
const sayWhyItWaits = async () => {
  if (isConnected()) return;
  if (!(await isFull()) || isConnected()) {
    setTimeout(sayWhyItWaits, WAITS);
    return;
  }
  const note = document.createElement("p");
  note.role = "status";
  note.textContent = "Many pages are open from your network at the moment. "
    + "This page opens by itself as soon as there is room.";
  note.style.cssText = "position: fixed; inset: 20vh 1rem auto; max-width: 30rem; margin: auto; padding: 1rem; "
    + "z-index: 9; font: 1.2rem/1.5 sans-serif; text-align: center; border: 1px solid; "
    + "color-scheme: light dark; color: CanvasText; background: Canvas";
  document.body.append(note);
  new MutationObserver((_, observer) => {
    if (!isConnected()) return;
    observer.disconnect();
    note.remove();
  }).observe(document, { attributeFilter: ["data-test-connection-state"], childList: true, subtree: true });
};
setTimeout(sayWhyItWaits, WAITS);
