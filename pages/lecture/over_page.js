// What lies over a whole page for as long as the page is there. The page below may be drawn again, or taken apart and put
// together: what lies over it goes on.
const LOOKS = 500; // ms between looks whether a page that is taken apart has been left

const made = (tag, kind = "", text = "") => Object.assign(document.createElement(tag), { className: kind, textContent: text });
const app = () => document.querySelector("[data-testid=stApp]");

function lay(root, style) {
  document.head.append(style);
  document.body.append(root);
  app().inert = true; // what lies below must not be reached with the Tab key
}

function lift(root, style) {
  root.remove();
  style.remove();
  app().inert = false;
}

const lectureHere = () => `${location.pathname} ${new URL(location.href).searchParams.get("deck")}`;

// `name` is where the window has what lies over it; another lecture is another one.
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
  one.root.style.colorScheme = getComputedStyle(app()).colorScheme; // only the app says whether it is light or dark
  // However long the page below takes to come back: as long as the address is that of the lecture, it has not been left.
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
