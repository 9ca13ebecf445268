// Sends the pages of steps to the presenter's window, as the hall sees or will see them: only to a window that has asked,
// and only changed pages.
const MOST_CHARACTERS = 8e6;
const AGAIN = 3000; // ms between new pictures of the current page, because a canvas can change without a change of elements

function hasChanged(frame, isShown) {
  const page = frame.element.contentDocument;
  if (frame.watched !== page) {
    frame.watched = page;
    frame.isDirty = true;
    new MutationObserver(() => { frame.isDirty = true; }).observe(page, { attributes: true, characterData: true, childList: true, subtree: true });
  }
  const now = performance.now();
  if (!frame.isDirty && !(isShown && now - (frame.taken ?? 0) > AGAIN)) return false;
  Object.assign(frame, { isDirty: false, taken: now });
  return true;
}

// The room as the hall sees it: the question with the code, over the whole window, or the result beside the picture.
function pictureOfRoom({ host, isAsked }) {
  if (host.hidden) return { svg: "", isAsked: false };
  return { svg: snapshotOf(document, { part: host })?.svg ?? "", isAsked };
}

// A text that changes with everything that the hall sees of the room, once the code is there.
function seenOfRoom({ host, box }) {
  if (host.hidden) return "";
  const codes = [...box.querySelectorAll("img")].map((one) => one.complete && one.naturalWidth);
  return JSON.stringify([host.className, innerWidth, innerHeight, codes, box.innerHTML]);
}

// The headline of the view, which is hidden if the step has its own.
const viewHeadlineIn = (page) => page?.querySelector(".st-key-large_headline p");

function pictureIn(frame, isShown) {
  const page = frame.isReady && frame.element.contentDocument;
  if (!page || !hasChanged(frame, isShown)) return null;
  const isScrolled = page.querySelector(".stMain")?.scrollTop > 0;
  const { svg } = snapshotOf(page, { without: isScrolled ? "" : TOO_SMALL }) ?? {};
  const viewHeadline = viewHeadlineIn(page)?.textContent ?? "";
  const { headline } = frame;
  const said = { viewHeadline, headline: headline.shown, sentence: headline.sentenceSeen(viewHeadline) };
  return { svg: svg && svg.length < MOST_CHARACTERS ? svg : "", ...said };
}
