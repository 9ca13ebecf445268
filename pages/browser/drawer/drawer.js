// Opens the drawer of a narrow window and scrolls it to the switches, which are below the menu of all pages.
const SWITCHES = '.stSidebar [data-testid="stSidebarUserContent"]';
const OPENS = '[data-testid="stExpandSidebarButton"]'; // the button, or an element that contains it
const LONGEST = 2000; // ms to wait for the drawer

function open() {
  const opener = document.querySelector(OPENS);
  (opener?.querySelector("button") ?? opener)?.click();
  const begun = performance.now();
  const scroll = () => {
    const switches = document.querySelector(SWITCHES);
    if (switches?.offsetHeight && document.querySelector('.stSidebar[data-collapsed="false"]')) {
      switches.scrollIntoView({ block: "start" });
      switches.querySelector("button, input, summary")?.focus({ preventScroll: true });
    } else if (performance.now() - begun < LONGEST) {
      requestAnimationFrame(scroll);
    }
  };
  requestAnimationFrame(scroll);
}

export default function ({ parentElement }) {
  parentElement.querySelector("button").onclick = open;
}
