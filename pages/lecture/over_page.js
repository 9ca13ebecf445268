// What lies over a whole page for as long as the page is there. The page below may be drawn again, or taken apart and put
// together: what lies over it goes on.
const LEFT = 500; // ms after which a page that has not come back has been left

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
  one.root.style.colorScheme = getComputedStyle(app()).colorScheme; // only the app says whether it is light or dark
  return () => setTimeout(() => {
    if (one.visit !== visit || window[name] !== one) return;
    one.close();
    delete window[name];
  }, LEFT);
}
