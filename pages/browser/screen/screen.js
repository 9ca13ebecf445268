// Tells Python two facts that figures depend on: a change between light and dark, and the room for figures. Loaded after
// room.js.
export default function ({ data, setStateValue, setTriggerValue }) {
  const app = document.querySelector(".stApp");
  const paper = () => getComputedStyle(app).backgroundColor;

  const isOpen = (sidebar) => !coversThePage() && sidebar.dataset.collapsed === "false";
  const room = () => {
    const main = app.querySelector(".stMain"), page = app.querySelector(".stMainBlockContainer");
    if (!page) return data.known;
    const sidebar = app.querySelector(".stSidebar");
    const width = innerWidth - (main.offsetWidth - main.clientWidth);
    // The style has the width even of a hidden sidebar, on a page without switches.
    const beside = !sidebar ? keptSidebar() : isOpen(sidebar) ? parseFloat(getComputedStyle(sidebar).width) : 0;
    const style = getComputedStyle(page);
    const free = parseFloat(style.width) - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const isBeside = sidebar && isOpen(sidebar) && sidebar.offsetWidth > 0;
    const amiss = free - between(width - (isBeside ? beside : 0));
    return roomOf(width, beside, Math.abs(amiss) < 1 ? 0 : amiss);
  };

  // If a browser folds its own bar away, the height changes a little. Nothing is drawn anew for that.
  const isAsGood = (now, known) => {
    const [[beside, wide, height, stage], [was, wasWide, tall, wasStage]] = [now, known].map((one) => one.split(".").map(Number));
    if (data.large) return stage === wasStage;
    return beside === was && wide === wasWide && (height === 0) === (tall === 0) && Math.abs(height - tall) < data.bar;
  };

  // In a narrow window the sidebar covers the page. Streamlit (1.67) keeps it open on the next page, and opens it on the
  // first page if it was open once. Here it stays open only on the page where the visitor opened it.
  let opened = null;
  const noteOpening = ({ target }) => {
    if (target.closest?.("[data-testid=stExpandSidebarButton]")) opened = location.pathname;
  };
  document.addEventListener("click", noteOpening);
  const fold = () => {
    const sidebar = app.querySelector(".stSidebar");
    if (!coversThePage() || sidebar?.dataset.collapsed !== "false" || opened === location.pathname) return;
    sidebar.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
    opened = null;
    forgetFolded(); // a wide window has room for it
  };

  let shown = paper();
  let told = data.known;
  let before = null;
  const look = () => {
    fold();
    if (paper() !== shown) {
      shown = paper();
      setTriggerValue("paper", shown);
    }
    // While the visitor resizes the window, its width still changes.
    const now = room();
    if (now === before && !isAsGood(now, told)) {
      told = now;
      keepInCookie(now);
      setStateValue("room", now);
    }
    before = now;
  };
  const timer = setInterval(look, 100);

  return () => {
    clearInterval(timer);
    document.removeEventListener("click", noteOpening);
  };
}
