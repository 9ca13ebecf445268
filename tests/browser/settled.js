// Runs before a page's own scripts: notes when something last happened, so that a test can ask what a
// page is still waiting for. The answer is empty once the picture on the screen is the final one.
(() => {
  const activity = { asked: 0, answered: 0, last: performance.now(), ticks: 0 };
  const note = () => { activity.last = performance.now(); activity.ticks = 0; };

  // Where others take the processor a second can pass in which the page did not run: so quiet is counted in turns of
  // its own clock as well, by which the clocks of the app have had theirs.
  const TICK = 50;
  setInterval(() => { activity.ticks += 1; }, TICK);

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

  // A page hears of its new size when a frame is drawn, which a busy machine does late.
  let isSized = true;
  addEventListener("resize", () => {
    isSized = false;
    requestAnimationFrame(() => requestAnimationFrame(() => { isSized = true; note(); }));
  });

  // For a moment Streamlit keeps an old element beside the new one, both with the class of their key, or an old
  // figure beside the new one in one element.
  const hasTwins = () => {
    const keys = [...document.querySelectorAll("[class*=st-key-]")]
      .flatMap(({ classList }) => [...classList].filter((name) => name.startsWith("st-key-")));
    const elements = [...document.querySelectorAll("[data-testid=stElementContainer]")];
    return keys.length !== new Set(keys).size
      || elements.some((element) => element.querySelectorAll(".js-plotly-plot").length > 1);
  };

  const isAtRest = (quiet) => performance.now() - activity.last >= quiet && activity.ticks >= quiet / TICK;

  // A browser does not fetch a picture that may wait until it is scrolled near.
  const isPending = (image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return !image.complete && (image.loading !== "lazy" || (top < innerHeight && bottom > 0));
  };

  // Asked twenty times a second: what has to be looked for is looked for once nothing happens any more.
  window.isSettled = (quiet) => isAtRest(quiet) && waitingFor(quiet).length === 0;

  window.waitingFor = (quiet) => {
    const app = document.querySelector("[data-testid=stApp]");
    const has = (selector) => document.querySelector(selector) !== null;
    const unfinished = {
      "the app to appear": !app,
      "a connection": app?.dataset.testConnectionState !== "CONNECTED",
      "the script to finish": app?.dataset.testScriptState !== "notRunning",
      // Between a run that was stopped and the one that takes its place the page is empty, and nothing runs.
      // A question that is asked stands alone, in a shadow root.
      "something on the page": !document.querySelector("[data-testid=stMain]")?.innerText.trim() && !has("html[data-unanswered]"),
      "an answer from the server": activity.asked > activity.answered,
      "a frame of the new size": !isSized,
      "stale elements to be replaced": has("[data-stale=true]"),
      "one element under each key": hasTwins(),
      "a placeholder to be filled": has("[data-testid=stSkeleton]"),
      "a figure to be drawn": has(".js-plotly-plot:not(:has(.main-svg))"),
      "fonts": document.fonts.status !== "loaded",
      "images": [...document.images].some(isPending),
      "the page to come to rest": !isAtRest(quiet),
    };
    return Object.keys(unfinished).filter((reason) => unfinished[reason]);
  };
})();
