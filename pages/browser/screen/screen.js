// Tells Python what it cannot see and draws figures for: a change between light and dark, and the room that figures
// have. It stands below room.js.
export default function ({ data, setStateValue, setTriggerValue }) {
  const app = document.querySelector(".stApp");
  const paper = () => getComputedStyle(app).backgroundColor;

  const isOpen = (sidebar) => !coversThePage() && sidebar.dataset.collapsed === "false";
  const room = () => {
    const main = app.querySelector(".stMain"), page = app.querySelector(".stMainBlockContainer");
    if (!page) return data.known;
    const sidebar = app.querySelector(".stSidebar");
    const width = innerWidth - (main.offsetWidth - main.clientWidth);
    // Its style says how wide it is also where it is hidden, on a page without switches.
    const beside = !sidebar ? keptSidebar() : isOpen(sidebar) ? parseFloat(getComputedStyle(sidebar).width) : 0;
    const style = getComputedStyle(page);
    const free = parseFloat(style.width) - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const isBeside = sidebar && isOpen(sidebar) && sidebar.offsetWidth > 0;
    const amiss = free - between(width - (isBeside ? beside : 0));
    return roomOf(width, beside, Math.abs(amiss) < 1 ? 0 : amiss);
  };

  // A browser that folds away a bar of its own changes the height a little, and nothing is drawn for that.
  const isAsGood = (now, known) => {
    const [[beside, wide, height, stage], [was, wasWide, tall, wasStage]] = [now, known].map((one) => one.split(".").map(Number));
    if (data.large) return stage === wasStage;
    return beside === was && wide === wasWide && (height === 0) === (tall === 0) && Math.abs(height - tall) < data.bar;
  };

  // In a narrow window the sidebar lies over the page. Streamlit (1.67) leaves it there over the next one, and opens it
  // over the first where it was open once: here it is open while the visitor wants it, on the page where it was opened.
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
    // While the window is being drawn wider, its width is not the last yet.
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
