// The link of what is seen, from the root of the app, as others are given it: not how it is shown, as large or covered, but what.
const OF_THE_SHOWING = ["large", "cover", "presenter", "titled", "unsaid", "stop", "predict"];

function linkHere() {
  const { pathname, search } = location;
  const asked = new URLSearchParams(search);
  for (const name of OF_THE_SHOWING) asked.delete(name);
  return `${pathname.slice(window.attentionLabBase.length) || "/"}${`${asked}` && `?${asked}`}`;
}
