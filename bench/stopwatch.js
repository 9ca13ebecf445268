// Runs before a page's own scripts: measures the milliseconds from letting go of the mouse until a picture
// has changed for the last time. It watches the document and not a chart's own events, because Streamlit
// answers with a new chart and throws the old one away. It sees into shadow roots, where our own components draw.
(() => {
  let picture = null, released = 0, changed = 0, before = "";

  const inside = (element) => [element, ...element.querySelectorAll("*")].filter((one) => one.shadowRoot);
  const markup = (element) => element.innerHTML + inside(element).map((one) => one.shadowRoot.innerHTML).join();
  const shown = () => [...document.querySelectorAll(picture)].map(markup).join();
  const concerns = ({ target }) => {
    const root = target.getRootNode();
    if (root instanceof ShadowRoot) return root.host.closest(picture);
    return (target.closest ? target : target.parentElement)?.closest(picture);
  };

  document.addEventListener("pointerup", () => { released = performance.now(); }, { capture: true });
  const observer = new MutationObserver((mutations) => {
    if (picture && mutations.some(concerns)) changed = performance.now();
  });
  const watch = (root) => {
    observer.observe(root, { attributes: true, characterData: true, childList: true, subtree: true });
    return root;
  };
  watch(document);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) { return watch(attach.call(this, options)); };

  window.stopwatch = {
    start(selector) {
      [picture, changed] = [selector, 0];
      before = shown();
    },
    read: () => (changed > 0 && shown() !== before ? changed - released : null),
  };
})();
