// Tells when the page in a frame is drawn and can be shown, and when it is at rest. A page tells the server how much room
// it has, so it may be drawn a second time.
const DRAWN = 120; // ms without a change until a page counts as drawn
const AT_REST = 500; // ms without a change until a page counts as at rest
const LIVELY = 900; // ms of being complete until a page that keeps changing, such as a playing one, counts as drawn
const LONGEST = 30000; // ms until the waiting ends
const UNFINISHED = "[data-stale=true], [data-testid=stSkeleton], .js-plotly-plot:not(:has(.main-svg))";

function isComplete(page) {
  const app = page.querySelector("[data-testid=stApp]");
  return app?.dataset.testConnectionState === "CONNECTED" && app.dataset.testScriptState === "notRunning"
    && page.querySelector("[data-testid=stMain] [data-testid=stElementContainer]") !== null
    && page.querySelector(UNFINISHED) === null && page.fonts.status === "loaded";
}

// Calls `drawn` once and then `atRest` once. Returns a function that ends the waiting.
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
