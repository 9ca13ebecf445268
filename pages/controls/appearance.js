// Tells Python when the visitor changes between light and dark, which Streamlit does not: figures are drawn for
// one theme and would keep the other's paper until the next click.
export default function ({ setTriggerValue }) {
  const app = document.querySelector(".stApp");
  const paper = () => getComputedStyle(app).backgroundColor;
  let shown = paper();
  const timer = setInterval(() => {
    if (paper() === shown) return;
    shown = paper();
    setTriggerValue("paper", shown);
  }, 400);
  return () => clearInterval(timer);
}
