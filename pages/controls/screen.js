// Tells Python what it cannot see and draws figures for: a change between light and dark, and how many pixels
// there are beside the sidebar.
const STEP = 20;
const COVERED = 768; // pixels of a window below which the sidebar lies over the page

export default function ({ data, setStateValue, setTriggerValue }) {
  const app = document.querySelector(".stApp");
  const paper = () => getComputedStyle(app).backgroundColor;
  const room = () => {
    const page = app.querySelector(".stMainBlockContainer");
    if (!page) return data.known;
    const { width, paddingLeft, paddingRight } = getComputedStyle(page);
    const free = parseFloat(width) - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return Math.min(Math.max(Math.floor(free / STEP) * STEP, data.narrowest), data.widest);
  };

  let shown = paper();
  let told = data.known;
  let before = null;
  const look = () => {
    if (paper() !== shown) {
      shown = paper();
      setTriggerValue("paper", shown);
    }
    // While the window is being drawn wider, its width is not the last yet.
    const now = room();
    if (now !== told && now === before) {
      told = now;
      setStateValue("room", now);
    }
    before = now;
  };
  const timer = setInterval(look, 100);

  // In a narrow window the sidebar lies over the page, and Streamlit (1.67) leaves it there over the next one.
  const fold = ({ target }) => {
    if (innerWidth < COVERED && target.closest?.("[data-testid=stSidebarNavLink]")) {
      document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
    }
  };
  document.addEventListener("click", fold);
  return () => {
    clearInterval(timer);
    document.removeEventListener("click", fold);
  };
}
