// Forwards clicks on the charts of a page to Python. Plotly knows the clicked cell of a heatmap of any size; Streamlit passes
// on selections only, which heatmaps do not have.
//
// While the page is drawn again Streamlit keeps only the last thing that a component has said. So every
// message repeats the clicks before it, each with a number that grows: Python takes those it has not met. It has met
// those of more than a minute ago; a server that has started since must not take them again.
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
  const attached = new Map(); // by their charts, the graphs that are listened to and what listens
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

// Plotly says what is hovered every 50 ms at most, and a chart that is drawn again has forgotten it. A brush is
// quicker than that: its cells are read off the axes. The page is drawn again while somebody paints: the stroke goes on,
// and where the chart is missing for a moment its cells are where they were.
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
