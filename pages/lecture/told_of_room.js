// What another window of the lecturer's is told of the room: its letters, and how many have answered. It keeps no token.
function followRoom(node) {
  const channel = new BroadcastChannel("attention-lab-room");
  const show = ({ code, count, isRevealed }) => {
    node.textContent = code ? `Room ${code} · ${count} ${count === 1 ? "has" : "have"} answered${isRevealed ? " · revealed" : ""}` : "";
  };
  channel.onmessage = ({ data }) => data.asks || show(data);
  channel.postMessage({ asks: true });
  return () => channel.close();
}
