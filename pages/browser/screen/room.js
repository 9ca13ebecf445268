// The room that figures have in a window, in steps: beside the sidebar, on a page without one, and in height, which is
// 0 where it sets no limit. It says in one place what Streamlit (1.67) and frame.css make of a window, for the first
// page that a browser gets, which is not laid out yet, and for every page after that. SIZES are those of screen.py.
const STORED_WIDTH = "sidebarWidth";
const STORED_FOLDED = "stSidebarCollapsed-";

const within = (value, [least, most]) => Math.min(Math.max(value, least), most);
const inSteps = (pixels, bounds) => within(Math.floor(pixels / SIZES.step) * SIZES.step, bounds);

// Pixels between the paddings of a page that is `width` wide.
const between = (width) => {
  const padding = innerWidth <= SIZES.narrow ? SIZES.padding / 2 : SIZES.padding;
  return Math.min(width, SIZES.widest_page) - 2 * padding;
};

// The height of a window that is taken for a stage, whose width has always as many units: see the folder large.
const stageOf = () => {
  const units = (innerHeight * SIZES.stage) / innerWidth;
  return within(Math.floor(units / SIZES.stage_step) * SIZES.stage_step, SIZES.stages);
};

// `amiss` are pixels by which the page that is there has another width than is said here.
const roomOf = (width, sidebar, amiss = 0) => {
  const beside = inSteps(between(width - sidebar) + amiss, SIZES.widths);
  const wide = inSteps(between(width) + amiss, SIZES.widths);
  // Below this pictures stand below each other, and one scrolls anyway.
  const height = beside < SIZES.stacked ? 0 : inSteps(innerHeight, SIZES.heights);
  return [beside, wide, height, stageOf()].join(".");
};

const coversThePage = () => innerWidth <= SIZES.covered;

// The width that the sidebar will have: as the visitor left it, or its own.
const keptSidebar = () => {
  let kept = NaN;
  try {
    if (coversThePage() || localStorage.getItem(STORED_FOLDED) === "true") return 0;
    kept = Number.parseInt(localStorage.getItem(STORED_WIDTH), 10);
  } catch { /* A browser that keeps nothing has kept no width either. */ }
  if (innerWidth <= SIZES.narrow) return SIZES.narrow_sidebar;
  return Math.min(Number.isNaN(kept) ? SIZES.sidebar : within(kept, SIZES.sidebars), 0.9 * innerWidth);
};

const keepInCookie = (room) => {
  document.cookie = `${SIZES.cookie}=${room}; path=${window.attentionLabBase}/; SameSite=Strict`;
};

const forgetFolded = () => {
  try {
    localStorage.removeItem(STORED_FOLDED);
  } catch { /* A browser that keeps nothing has kept no sidebar either. */ }
};
