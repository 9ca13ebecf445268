// Small pictures of the last links that this browser has shown; they are kept in this browser alone. Loaded after
// snapshot.js.
const KEPT_PICTURES = "attention-lab-pictures";
const PICTURES_CHANGED = "pictures-changed";
const MOST_PICTURES = 150;
const SMALL_WIDTH = 400; // pixels
// The sentence and the line below the picture would be too small to read. Without them, more of the picture fits.
const TOO_SMALL = ".st-key-large_headline, .st-key-large_badge, .st-key-large_below, .st-key-code";

function picturesKept() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_PICTURES) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => Array.isArray(one) && String(one[1]).startsWith("data:image/")) : [];
  } catch {
    return [];
  }
}

const colours = (theme) => (String(theme).includes("dark") ? "dark" : "light");

// The picture of a link, or an empty text.
function keptPicture(link, theme = "light") {
  const kept = picturesKept();
  const [dark, light] = ["dark", "light"].map((one) => kept.find(([name]) => name === `${one} ${link}`)?.[1]);
  return (colours(theme) === "dark" ? dark ?? light : light ?? dark) ?? "";
}

// The picture of a step that is not drawn yet: its number on grey, for light and dark.
function numberCard(number) {
  const grey = "rgb(122, 135, 148)";
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180">
    <rect width="320" height="180" rx="10" fill="${grey}" fill-opacity="0.14"/>
    <text x="160" y="112" text-anchor="middle" font-family="sans-serif" font-size="64" fill="${grey}">${Number(number)}</text></svg>`)}`;
}

async function smallPicture(page) {
  const found = snapshotOf(page, { without: TOO_SMALL });
  if (!found) return "";
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(found.svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SMALL_WIDTH, height: Math.round(SMALL_WIDTH * found.height / found.width) });
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(page.querySelector("[data-testid=stApp]") ?? page.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/webp", 0.8);
}

// Keep the picture of what a frame shows.
async function keepPicture(link, frame, theme = "light") {
  try {
    const small = await smallPicture(frame.contentDocument);
    const name = `${colours(theme)} ${link}`;
    if (!small) return;
    const others = picturesKept().filter(([other]) => other !== name).slice(-MOST_PICTURES + 1);
    localStorage.setItem(KEPT_PICTURES, JSON.stringify([...others, [name, small]]));
    document.dispatchEvent(new CustomEvent(PICTURES_CHANGED, { detail: link }));
  } catch { /* the list then shows the picture of the view */ }
}
