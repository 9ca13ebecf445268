// The room for figures in a window, in steps: the width beside the sidebar, the width without one, and the height, which
// is 0 for no limit. It repeats the layout of Streamlit (1.67) and frame.css in one place, for the first page of a
// browser, which is not laid out yet, and for every later page. SIZES are from `__init__.py` beside this file.
const STORED_WIDTH = "sidebarWidth";
const STORED_FOLDED = "stSidebarCollapsed-";

const within = (value, [least, most]) => Math.min(Math.max(value, least), most);
const inSteps = (pixels, bounds) => within(Math.floor(pixels / SIZES.step) * SIZES.step, bounds);

// Pixels between the paddings of a page that is `width` wide.
const between = (width) => {
  const padding = innerWidth <= SIZES.narrow ? SIZES.padding / 2 : SIZES.padding;
  return Math.min(width, SIZES.widest_page) - 2 * padding;
};

// The height of the window in units of the large view, whose width always has the same number of units: see large.
const stageOf = () => {
  const units = (innerHeight * SIZES.stage) / innerWidth;
  return within(Math.floor(units / SIZES.stage_step) * SIZES.stage_step, SIZES.stages);
};

// `amiss` is the difference, in pixels, between the real width of the page and this computation.
const roomOf = (width, sidebar, amiss = 0) => {
  const beside = inSteps(between(width - sidebar) + amiss, SIZES.widths);
  const wide = inSteps(between(width) + amiss, SIZES.widths);
  // In narrower pages pictures are stacked and the page scrolls, so the height sets no limit.
  const height = beside < SIZES.stacked ? 0 : inSteps(innerHeight, SIZES.heights);
  return [beside, wide, height, stageOf()].join(".");
};

const coversThePage = () => innerWidth <= SIZES.covered;

// The width that the sidebar will have: as the visitor left it, or its default.
const keptSidebar = () => {
  let kept = NaN;
  try {
    if (coversThePage() || localStorage.getItem(STORED_FOLDED) === "true") return 0;
    kept = Number.parseInt(localStorage.getItem(STORED_WIDTH), 10);
  } catch { /* The store is blocked, so no width is kept. */ }
  if (innerWidth <= SIZES.narrow) return SIZES.narrow_sidebar;
  return Math.min(Number.isNaN(kept) ? SIZES.sidebar : within(kept, SIZES.sidebars), 0.9 * innerWidth);
};

const keepInCookie = (room) => {
  document.cookie = `${SIZES.cookie}=${room}; path=${window.attentionLabBase}/; SameSite=Strict`;
};

const forgetFolded = () => {
  try {
    localStorage.removeItem(STORED_FOLDED);
  } catch { /* The store is blocked, so nothing is kept. */ }
};
