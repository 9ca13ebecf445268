// The Save buttons of pictures. A picture is identified by the name of its element. Its button is in the row of its
// numbers, or below the picture if it has no such row. They need no request to the server.
const SAVE = "save_picture";
const ROWS = { strip: "steps" }; // pictures whose numbers have another name
const KEY = /(?:^|\s)st-key-(\w+?)(?:_bare)?_(?:scrolled|drawn)(?:\s|$)/;
const BLOCK = "[data-testid=stLayoutWrapper], [data-testid=stElementContainer]";

function picturesHere() {
  const found = [...document.querySelectorAll(".stMain :is([class*=_scrolled], [class*=_drawn]):not([class*=_unsaved])")];
  return found.map((one) => ({ key: one.className.match(KEY)?.[1], element: one })).filter(({ key }) => key);
}

function saveButton(key, open) {
  const button = Object.assign(document.createElement("button"), {
    type: "button", className: SAVE, textContent: "Save", title: "Save the picture as a file (S)",
  });
  button.dataset.key = key;
  button.onclick = () => open(key);
  return button;
}

// The row of the numbers may come some frames after its picture. Until then the button is below the picture.
function takeButton(block) {
  block.querySelector(`:scope > .${SAVE}`)?.remove();
  delete block.dataset.saved;
}

// Streamlit removes the elements that it draws anew, with their buttons. Other elements keep theirs.
function putButtons(open) {
  const here = picturesHere();
  for (const { key, element } of here) {
    const row = document.querySelector(`[data-testid=stLayoutWrapper].st-key-${ROWS[key] ?? key}_table`);
    const block = element.closest(BLOCK), place = row ?? block;
    if (row && block?.dataset.saved === "below") takeButton(block);
    if (place?.querySelector(`:scope > .${SAVE}`)) continue;
    if (!place) continue;
    place.dataset.saved = row ? "row" : "below";
    place.append(saveButton(key, open));
  }
  const bar = document.querySelector(".st-key-large_bar");
  if (bar && here.length && !bar.querySelector(`:scope > .${SAVE}`)) bar.append(saveButton("", open));
}

// The picture in sight: the first with a large part in the window.
function pictureInSight() {
  const shown = picturesHere().map(({ key, element }) => ({ key, box: element.getBoundingClientRect() }));
  const inSight = ({ box }) => box.height > 0 && box.top < innerHeight * 0.8 && box.bottom > innerHeight * 0.2;
  return (shown.find(inSight) ?? shown[0])?.key;
}
