// When the page in a frame has come to rest, so that it can be shown: what stands on it is the last answer, and drawn.
const QUIET = 120; // ms without a change
const LIVELY = 900; // ms for which a page that never comes to rest, as one that plays, has been complete
const LONGEST = 4000; // ms after which a page is shown as it is: it may have something to say about that
const UNFINISHED = "[data-stale=true], [data-testid=stSkeleton], .js-plotly-plot:not(:has(.main-svg))";

function isComplete(page) {
  const app = page.querySelector("[data-testid=stApp]");
  return app?.dataset.testConnectionState === "CONNECTED" && app.dataset.testScriptState === "notRunning"
    && page.querySelector("[data-testid=stMain] [data-testid=stElementContainer]") !== null
    && page.querySelector(UNFINISHED) === null && page.fonts.status === "loaded";
}

// Calls back once; returns what gives up waiting.
function whenAtRest(frame, then) {
  const begun = performance.now();
  let [changed, complete, watched] = [begun, null, null];
  const observer = new MutationObserver(() => { changed = performance.now(); });
  const look = () => {
    const [page, now] = [frame.contentDocument, performance.now()];
    if (page && page !== watched) {
      watched = page;
      observer.observe(page, { attributes: true, characterData: true, childList: true, subtree: true });
    }
    complete = page && isComplete(page) ? (complete ?? now) : null;
    const isAtRest = complete !== null && (now - changed > QUIET || now - complete > LIVELY);
    if (!isAtRest && now - begun < LONGEST) return;
    stop();
    then();
  };
  const timer = setInterval(look, 40);
  const stop = () => {
    clearInterval(timer);
    observer.disconnect();
  };
  return stop;
}
