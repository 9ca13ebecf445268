// Runs before a page's own scripts: notes when something last happened, so that a test can ask what a
// page is still waiting for. The answer is empty once the picture on the screen is the final one.
(() => {
  const activity = { asked: 0, answered: 0, last: performance.now() };
  const note = () => { activity.last = performance.now(); };

  window.WebSocket = class extends WebSocket {
    constructor(...settings) {
      super(...settings);
      this.addEventListener("message", () => { note(); activity.answered = activity.last; });
    }
    send(message) {
      note();
      activity.asked = activity.last;
      super.send(message);
    }
  };
  new MutationObserver(note).observe(document, {
    attributes: true, characterData: true, childList: true, subtree: true,
  });

  // What a visitor does counts as well: the answer to it may begin in a shadow root, which is not observed.
  for (const act of ["resize", "click", "keydown"]) addEventListener(act, note, { capture: true });

  // For a moment Streamlit keeps an old element beside the new one, both with the class of their key.
  const hasTwins = () => {
    const keys = [...document.querySelectorAll("[class*=st-key-]")]
      .flatMap(({ classList }) => [...classList].filter((name) => name.startsWith("st-key-")));
    return keys.length !== new Set(keys).size;
  };

  window.waitingFor = (quiet) => {
    const app = document.querySelector("[data-testid=stApp]");
    const has = (selector) => document.querySelector(selector) !== null;
    const unfinished = {
      "the app to appear": !app,
      "a connection": app?.dataset.testConnectionState !== "CONNECTED",
      "the script to finish": app?.dataset.testScriptState !== "notRunning",
      "an answer from the server": activity.asked > activity.answered,
      "stale elements to be replaced": has("[data-stale=true]"),
      "one element under each key": hasTwins(),
      "a placeholder to be filled": has("[data-testid=stSkeleton]"),
      "a figure to be drawn": has(".js-plotly-plot:not(:has(.main-svg))"),
      "fonts": document.fonts.status !== "loaded",
      "images": [...document.images].some((image) => !image.complete),
      "the page to come to rest": performance.now() - activity.last < quiet,
    };
    return Object.keys(unfinished).filter((reason) => unfinished[reason]);
  };
})();
