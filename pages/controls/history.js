// One step in the browser's history for each page visited. Streamlit makes a step of every parameter that the
// server writes, and empties the address of a page before it leaves it: Back would lead through states that
// nobody has seen, and not to what the visitor left.
export default function () {
  if (history.pushState.makesOneStepPerPage) return;
  const push = history.pushState.bind(history);
  let left = null;

  const pushPage = (state, title, address) => {
    if (new URL(address, location.href).pathname === location.pathname) {
      history.replaceState(state, title, address);
      return;
    }
    if (left !== null) history.replaceState(state, title, left);
    left = null;
    push(state, title, address);
  };
  pushPage.makesOneStepPerPage = true;
  history.pushState = pushPage;
  // Seen before anything answers the click: this is the address that Back has to lead to.
  document.addEventListener("click", ({ target }) => {
    if (target.closest("a[href]")) left = location.href;
  }, { capture: true });
}
