// Runs in the first page that a browser loads, before Streamlit's scripts. Loaded after room.js.

// The address of a link. Links start at the root of the app, which may be served below another path, see base.py.
window.attentionLabAddress = (link) => (link.startsWith("/") ? window.attentionLabBase + link : link);

// Streamlit (1.67) first looks for its server below the address of the page. Only a tenth of a second after a refusal
// does it look one level above. This line tells it where the server is.
window.__streamlit = {
  ...window.__streamlit,
  BACKEND_BASE_URL: new URL(`${window.attentionLabBase}/`, location.href).href,
};

// The player of a lecture, see pages/lecture, if this page is one of its frames.
window.attentionLabPlayedBy = () => {
  try {
    return parent === window ? undefined : parent.attentionLabPlayer;
  } catch {
    return undefined; // the outer page is on another server
  }
};

// Values that survive a reload of this tab: the revealed covers, and the changed steps of a lecture.
window.attentionLabReload = {
  read(name) {
    const [{ type }] = performance.getEntriesByType("navigation");
    try {
      return type === "reload" ? JSON.parse(sessionStorage.getItem(name)) : null;
    } catch {
      return null; // the store is blocked, or the value is not JSON
    }
  },
  write(name, value) {
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch { /* The value lasts as long as the page. */ }
  },
};

// The first request tells the server the size of the window, so the first figure already fits.
const probe = document.createElement("div");
probe.style.cssText = "position: absolute; visibility: hidden; width: 100px; overflow: auto; scrollbar-gutter: stable; "
  + "scrollbar-width: thin; scrollbar-color: transparent transparent"; // as in frame.css and Streamlit (1.67)
document.documentElement.append(probe);
const scrollbar = probe.offsetWidth - probe.clientWidth;
probe.remove();
keepInCookie(roomOf(innerWidth - scrollbar, keptSidebar()));

// While the server computes the first answer, the browser is idle. It loads the scripts that draw figures then, because
// they take as long as the rest of the page.
new MutationObserver((_, observer) => {
  if (!document.querySelector('[data-test-connection-state="CONNECTED"]')) return;
  observer.disconnect();
  setTimeout(() => import(DRAWS).catch(() => {})); // Streamlit reports a failure itself
}).observe(document, { attributeFilter: ["data-test-connection-state"], childList: true, subtree: true });

// nginx admits a limited number of pages per address at once. Streamlit (1.67) retries, and shows a grey page
// meanwhile. A page that still waits asks for the reason, and shows it until it is admitted.
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
