// Draws the page again when its connection comes back. Streamlit (1.67) does so only if an answer had begun. The last
// request of the visitor may be lost, and the process that answers now may not know the page.
export default function ({ data, setTriggerValue }) {
  const app = document.querySelector("[data-testid=stApp]");
  let isLost = false;
  let timer;
  const look = () => {
    const isThere = app.dataset.testConnectionState === "CONNECTED";
    if (isThere && isLost) {
      // A whole class reconnects at the same moment, so each browser waits a random time.
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
