// Streamlit (1.67) keeps the key of a button from it while the focus is in any `input`, which a toggle is, too. It
// looks for one in the path of the event: where the input does not need the key, the path is that of an event outside
// of it.
function free(event) {
  const [focused] = event.composedPath();
  const isPlain = event.key?.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isPlain && focused.matches?.("input") && !isNeeded(event, focused)) event.composedPath = () => [document.body];
}

export default function () {
  addEventListener("keydown", free, { capture: true });
  return () => removeEventListener("keydown", free, { capture: true });
}
