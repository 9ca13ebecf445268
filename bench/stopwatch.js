// Runs before a page's own scripts: measures the milliseconds from letting go of the mouse until a picture
// has changed for the last time. It watches the document and not a chart's own events, because Streamlit
// answers with a new chart and throws the old one away.
(() => {
  let picture = null, released = 0, changed = 0, before = "";

  const shown = () => [...document.querySelectorAll(picture)].map((element) => element.innerHTML).join();
  const concerns = ({ target }) => (target.closest ? target : target.parentElement)?.closest(picture);

  document.addEventListener("pointerup", () => { released = performance.now(); }, { capture: true });
  new MutationObserver((mutations) => {
    if (picture && mutations.some(concerns)) changed = performance.now();
  }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });

  window.stopwatch = {
    start(selector) {
      [picture, changed] = [selector, 0];
      before = shown();
    },
    read: () => (changed > 0 && shown() !== before ? changed - released : null),
  };
})();
