// Draws the page again when its connection comes back. Streamlit (1.67) does so only where an answer had begun: what
// the visitor asked for last may be lost, and the process that answers from now on may never have heard of the page.
export default function ({ data, setTriggerValue }) {
  const app = document.querySelector("[data-testid=stApp]");
  let isLost = false;
  let timer;
  const look = () => {
    const isThere = app.dataset.testConnectionState === "CONNECTED";
    if (isThere && isLost) {
      // A class comes back at once, and need not be drawn at once.
      timer = setTimeout(() => setTriggerValue("back", Date.now()), Math.random() * data.longest);
    }
    isLost = !isThere;
  };
  const observer = new MutationObserver(look);
  observer.observe(app, { attributeFilter: ["data-test-connection-state"] });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
