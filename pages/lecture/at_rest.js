// When the page in a frame is drawn, so that it can be shown to who waits for it, and when it has come to rest: a page tells
// the server what room it has, and may be drawn once more for that.
const DRAWN = 120; // ms without a change after which it is drawn
const AT_REST = 500; // ms without a change after which none will come
const LIVELY = 900; // ms for which a page that never comes to rest, as one that plays, has been complete
const LONGEST = 30000; // ms after which nobody waits any more
const UNFINISHED = "[data-stale=true], [data-testid=stSkeleton], .js-plotly-plot:not(:has(.main-svg))";

function isComplete(page) {
  const app = page.querySelector("[data-testid=stApp]");
  return app?.dataset.testConnectionState === "CONNECTED" && app.dataset.testScriptState === "notRunning"
    && page.querySelector("[data-testid=stMain] [data-testid=stElementContainer]") !== null
    && page.querySelector(UNFINISHED) === null && page.fonts.status === "loaded";
}

// Calls `drawn` once and then `atRest` once; returns what gives up waiting.
function whenDrawn(frame, drawn, atRest) {
  const begun = performance.now();
  let [changed, complete, watched, isDrawn] = [begun, null, null, false];
  const observer = new MutationObserver(() => { changed = performance.now(); });
  const look = () => {
    const [page, now] = [frame.contentDocument, performance.now()];
    if (page && page !== watched) {
      watched = page;
      observer.observe(page, { attributes: true, characterData: true, childList: true, subtree: true });
    }
    complete = page && isComplete(page) ? (complete ?? now) : null;
    const isQuiet = (time) => complete !== null && (now - changed > time || now - complete > LIVELY);
    const isLate = now - begun > LONGEST;
    if (!isDrawn && (isQuiet(DRAWN) || isLate)) {
      isDrawn = true;
      drawn();
    }
    if (!isQuiet(AT_REST) && !isLate) return;
    stop();
    atRest();
  };
  const timer = setInterval(look, 40);
  const stop = () => {
    clearInterval(timer);
    observer.disconnect();
  };
  return stop;
}
