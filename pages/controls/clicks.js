// Forwards Plotly's own click event from a chart to Python. Plotly knows the clicked cell of a heatmap of
// any size; Streamlit passes on selections only, which heatmaps do not have.
export default function ({ data, setTriggerValue }) {
  let graph = null;

  const send = ({ points: [point] }) => {
    setTriggerValue("point", { x: point.x, y: point.y, curve: point.curveNumber, data: point.customdata ?? null });
  };
  const attach = () => {
    const found = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    if (!found || found === graph || !found.on) return;
    graph = found;
    graph.on("plotly_click", send);
  };

  attach();
  const observer = new MutationObserver(attach);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    graph?.removeListener?.("plotly_click", send);
  };
}
