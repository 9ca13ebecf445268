// The link to share, from the root of the app: it leaves out how the view is shown, such as large or covered.
const OF_THE_SHOWING = ["large", "cover", "presenter", "titled", "unsaid", "stop", "predict"];

function linkHere() {
  const { pathname, search } = location;
  const asked = new URLSearchParams(search);
  for (const name of OF_THE_SHOWING) asked.delete(name);
  return `${pathname.slice(window.attentionLabBase.length) || "/"}${`${asked}` && `?${asked}`}`;
}
