// An overlay of a whole page, which lasts as long as the page. The page below may be drawn again, or removed and put back:
// the overlay stays.
const LOOKS = 500; // ms between checks whether a removed page has been left

const made = (tag, kind = "", text = "") => Object.assign(document.createElement(tag), { className: kind, textContent: text });
const app = () => document.querySelector("[data-testid=stApp]");

function lay(root, style) {
  document.head.append(style);
  document.body.append(root);
  app().inert = true; // the Tab key must not reach the page below
}

function lift(root, style) {
  root.remove();
  style.remove();
  app().inert = false;
}

const lectureHere = () => `${location.pathname} ${new URL(location.href).searchParams.get("deck")}`;

// `name` is the window's property with the overlay. Another lecture gets a new overlay.
function overThePage(name, data, make) {
  if (window[name]?.name !== data.name) {
    window[name]?.close();
    window[name] = make(data);
  } else {
    window[name].renew?.(data);
  }
  const one = window[name];
  const visit = (one.visit = {});
  const lecture = lectureHere();
  one.root.style.colorScheme = getComputedStyle(app()).colorScheme; // the app alone has the colour scheme
  // As long as the address is the lecture's, the page has not been left, however long it takes to come back.
  return () => {
    const timer = setInterval(() => {
      const isAgainThere = one.visit !== visit || window[name] !== one;
      if (!isAgainThere && lectureHere() === lecture) return;
      clearInterval(timer);
      if (isAgainThere) return;
      one.close();
      delete window[name];
    }, LOOKS);
  };
}
