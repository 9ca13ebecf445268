// Undo goes back in the browser's history, which has an entry for each act: see entries.js.
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  const follow = () => { button.disabled = !window.attentionLabEntries.canGoBack; };
  const act = (event) => {
    if (event.detail === "undo") window.attentionLabEntries.goBack();
    else if (event.detail !== "dismiss" || !window.attentionLabEntries.drop(data.selections)) return;
    event.preventDefault();
  };
  button.onclick = () => window.attentionLabEntries.goBack();
  document.addEventListener("act", act);
  document.addEventListener("entered", follow);
  follow();
  return () => {
    document.removeEventListener("act", act);
    document.removeEventListener("entered", follow);
  };
}
