// Forwards clicks on the charts of a page to Python. Plotly knows the clicked cell of a heatmap of any size. Streamlit
// only forwards selections, which heatmaps do not have.
//
// While the page is drawn again, Streamlit keeps only the last message of a component. So every message repeats the
// clicks before it, each with a growing number, and Python takes those that are new. Clicks older than a minute are
// not repeated, so that a restarted server does not take them again.
const REPEATED = 64;
const REPEATED_FOR = 60_000;

export default function ({ data: { charts }, setTriggerValue }) {
  const said = (window.attentionLabClicks ??= { clicks: [], last: Date.now() });
  said.clicks = said.clicks.filter(({ chart }) => chart in charts);
  const send = (chart, point, first = null) => {
    const recent = said.clicks.filter(({ id }) => id > Date.now() - REPEATED_FOR);
    said.last = Math.max(said.last + 1, Date.now());
    said.clicks = [...recent, { ...point, chart, id: said.last, stroke: first ?? said.last }].slice(-REPEATED);
    setTriggerValue("points", said.clicks);
    return said.last;
  };
  const names = (drags) => Object.keys(charts).filter((chart) => charts[chart].drags === drags);
  const ends = [followClicks(names(false), send), ...names(true).map((chart) => followStrokes(chart, send, said))];
  return () => ends.forEach((end) => end());
}

const graphOf = (chart) => document.querySelector(`.st-key-${chart} .js-plotly-plot`);

function followClicks(charts, send) {
  const attached = new Map(); // for each chart, its graph and the listener
  const detach = (chart) => {
    const [graph, onClick] = attached.get(chart) ?? [];
    graph?.removeListener?.("plotly_click", onClick);
  };
  const attach = (chart) => {
    const graph = graphOf(chart);
    if (!graph?.on || attached.get(chart)?.[0] === graph) return;
    const onClick = ({ points: [point] }) => (
      send(chart, { x: point.x, y: point.y, curve: point.curveNumber, data: point.customdata ?? null })
    );
    attached.set(chart, [graph, onClick]);
    graph.on("plotly_click", onClick);
  };
  const attachAll = () => charts.forEach(attach);

  attachAll();
  const observer = new MutationObserver(attachAll);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    charts.forEach(detach);
  };
}

// Plotly reports the hovered cell at most every 50 ms, and a chart that is drawn again forgets it. A brush is faster
// than that, so its cells are computed from the axes. The page may be drawn again during a stroke: the stroke goes on,
// and while the chart is missing, its last position is used.
function followStrokes(chart, send, said) {
  const gridOf = () => {
    const graph = graphOf(chart);
    const plots = Object.values(graph?._fullLayout?._plots ?? {});
    return plots.length ? { plots, box: graph.getBoundingClientRect(), wide: graph.offsetWidth } : null;
  };
  const cellAt = ({ clientX, clientY }, { plots, box, wide }) => {
    const magnified = box.width / wide; // in the large view, see large.css
    for (const { xaxis, yaxis } of plots) {
      const x = (clientX - box.left) / magnified - xaxis._offset;
      const y = (clientY - box.top) / magnified - yaxis._offset;
      const isInside = x >= 0 && y >= 0 && x < xaxis._length && y < yaxis._length;
      if (isInside) return { x: Math.round(xaxis.p2d(x)), y: Math.round(yaxis.p2d(y)), curve: 0, data: null };
    }
    return null;
  };
  const onDown = (event) => {
    const grid = event.button === 0 && graphOf(chart)?.contains(event.target) ? gridOf() : null;
    const cell = grid && cellAt(event, grid);
    if (cell) said.stroke = { chart, grid, last: cell, first: send(chart, cell) };
  };
  const onMove = (event) => {
    const { stroke } = said;
    if (stroke?.chart !== chart) return;
    stroke.grid = gridOf() ?? stroke.grid;
    const cell = cellAt(event, stroke.grid);
    if (!cell || (cell.x === stroke.last.x && cell.y === stroke.last.y)) return;
    stroke.last = cell;
    send(chart, cell, stroke.first);
  };
  const onUp = () => { said.stroke = null; };

  const listeners = { pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener, true);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener, true);
  };
}
