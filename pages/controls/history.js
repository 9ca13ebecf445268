// One step in the browser's history for each page visited, and one for each view chosen by hand. Streamlit makes a
// step of every parameter that the server writes and none of those that a control writes, and empties the address
// of a page before it leaves it: Back would lead through states that nobody has seen, and not to what the visitor
// left. What leads back within a page, act by act, is undo, see acts.js.
function follow() {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let left = null;
  // An address that changes before the visitor does anything, as that of a former link, is no step.
  let acted = false;
  let isOwn = false;
  // In the player of a lecture no page makes a step: Back would lead through what its frames have shown.
  const isPlayed = Boolean(window.attentionLabPlayedBy?.());

  const acts = new Acts({
    replay: (address) => {
      replace(history.state, "", address);
      isOwn = true;
      dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
    },
    stepBack: () => {
      isOwn = true; // until the browser has gone there
      history.back();
    },
  });

  const step = (...entry) => {
    acted = false;
    push(...entry);
  };
  const write = (state, title, address) => {
    const now = new URL(location.href);
    const next = new URL(address ?? location.href, location.href);
    const view = ({ searchParams }) => searchParams.get("view");
    const isStep = acted && !isPlayed && next.pathname === now.pathname && view(next) !== view(now);
    (isStep ? step : replace)(state, title, address);
    acts.change(isStep);
  };
  const go = (state, title, address) => {
    if (new URL(address, location.href).pathname === location.pathname) {
      write(state, title, address);
      return;
    }
    if (left !== null) replace(state, title, left);
    left = null;
    step(state, title, address);
    acts.forget();
  };
  history.pushState = go;
  history.replaceState = write;

  // Seen before anything answers the click: this is the address that Back has to lead to.
  addEventListener("click", (event) => {
    acted = true;
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    left = location.href;
    // A tile or the path leads on in the same tab, as the menu does; with another button or a key held the browser decides.
    if (!link.matches(".tiles a:not([download]), .path a") || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    dispatchEvent(new PopStateEvent("popstate"));
  }, { capture: true });
  addEventListener("keydown", (event) => {
    acted = true;
    acts.press(event);
  }, { capture: true });
  addEventListener("pointerdown", (event) => acts.press(event), { capture: true });
  document.addEventListener("acted", ({ detail }) => acts.pass(detail));
  document.addEventListener("answered", ({ detail }) => acts.answered(detail));
  addEventListener("popstate", () => {
    acted = false;
    if (!isOwn) acts.travel();
    isOwn = false;
  }, { capture: true });
  return acts;
}

export default function ({ data, parentElement }) {
  const acts = (window.attentionLabActs ??= follow());
  const button = parentElement.querySelector("button");
  const undo = () => {
    acts.unpress();
    acts.undo();
  };
  const act = (event) => {
    if (event.detail === "undo") {
      event.preventDefault();
      undo();
    } else if (event.detail === "drop") {
      acts.unpress();
      if (acts.drop(data.selections)) event.preventDefault();
    }
  };
  acts.onChange = () => { button.disabled = !acts.canUndo; };
  acts.onChange();
  button.onclick = undo;
  document.addEventListener("act", act);
  return () => document.removeEventListener("act", act);
}
