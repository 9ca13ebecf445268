// Forwards clicks on a chart to Python. Plotly knows the clicked cell of a heatmap of any size; Streamlit passes
// on selections only, which heatmaps do not have.
//
// While the page is drawn again Streamlit keeps only the last thing that a component has said. So every
// message repeats the clicks before it, each with a number that grows: Python takes those it has not met.
const REPEATED = 64;

export default function ({ data, setTriggerValue }) {
  const said = ((window.attentionLabClicks ??= {})[data.chart] ??= { clicks: [], last: Date.now() });
  const find = () => document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
  const send = (point, first = null) => {
    said.last = Math.max(said.last + 1, Date.now());
    said.clicks = [...said.clicks, { ...point, id: said.last, stroke: first ?? said.last }].slice(-REPEATED);
    setTriggerValue("points", said.clicks);
    return said.last;
  };
  return data.drags ? followStrokes(find, send) : followClicks(find, send);
}

function followClicks(find, send) {
  let graph = null;
  const onClick = ({ points: [point] }) => (
    send({ x: point.x, y: point.y, curve: point.curveNumber, data: point.customdata ?? null })
  );
  const attach = () => {
    const found = find();
    if (!found || found === graph || !found.on) return;
    graph = found;
    graph.on("plotly_click", onClick);
  };

  attach();
  const observer = new MutationObserver(attach);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    graph?.removeListener?.("plotly_click", onClick);
  };
}

// Plotly says what is hovered every 50 ms at most, and a chart that is drawn again has forgotten it. A brush is
// quicker than that: its cells are read off the axes.
function followStrokes(find, send) {
  let stroke = null;
  let last = null;

  const cellAt = ({ clientX, clientY }) => {
    const graph = find();
    const { left, top, width } = graph?.getBoundingClientRect() ?? {};
    const magnified = width / graph?.offsetWidth; // in a lecture, see lecture.css
    for (const { xaxis, yaxis } of Object.values(graph?._fullLayout?._plots ?? {})) {
      const x = (clientX - left) / magnified - xaxis._offset;
      const y = (clientY - top) / magnified - yaxis._offset;
      const isInside = x >= 0 && y >= 0 && x < xaxis._length && y < yaxis._length;
      if (isInside) return { x: Math.round(xaxis.p2d(x)), y: Math.round(yaxis.p2d(y)), curve: 0, data: null };
    }
    return null;
  };
  const onDown = (event) => {
    const cell = event.button === 0 && find()?.contains(event.target) ? cellAt(event) : null;
    if (!cell) return;
    last = cell;
    stroke = send(cell);
  };
  const onMove = (event) => {
    const cell = stroke === null ? null : cellAt(event);
    if (!cell || (cell.x === last.x && cell.y === last.y)) return;
    last = cell;
    send(cell, stroke);
  };
  const onUp = () => { stroke = last = null; };

  const listeners = { pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener, true);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener, true);
  };
}
