// One step in the browser's history for each page visited, and one for each view chosen by hand. Streamlit makes a
// step of every parameter that the server writes and none of those that a control writes, and empties the address
// of a page before it leaves it: Back would lead through states that nobody has seen, and not to what the visitor
// left.
export default function () {
  if (history.pushState.makesOneStepPerView) return;
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let left = null;
  // An address that changes before the visitor does anything, as that of a former link, is no step.
  let acted = false;

  const step = (...entry) => {
    acted = false;
    push(...entry);
  };
  const write = (state, title, address) => {
    const now = new URL(location.href);
    const next = new URL(address ?? location.href, location.href);
    const view = ({ searchParams }) => searchParams.get("view");
    const isStep = acted && next.pathname === now.pathname && view(next) !== view(now);
    (isStep ? step : replace)(state, title, address);
  };
  const go = (state, title, address) => {
    if (new URL(address, location.href).pathname === location.pathname) {
      write(state, title, address);
      return;
    }
    if (left !== null) replace(state, title, left);
    left = null;
    step(state, title, address);
  };
  go.makesOneStepPerView = true;
  history.pushState = go;
  history.replaceState = write;

  // Seen before anything answers the click: this is the address that Back has to lead to.
  addEventListener("click", ({ target }) => {
    acted = true;
    if (target.closest?.("a[href]")) left = location.href;
  }, { capture: true });
  addEventListener("keydown", () => { acted = true; }, { capture: true });
  addEventListener("popstate", () => { acted = false; }, { capture: true });
}
