// The room in another window of the lecturer: its letters and the number of answers. It has no token. The lecturer reads
// and approves free words here before the hall sees them.
function followRoom(node) {
  const channel = new BroadcastChannel("attention-lab-room");
  const line = node.appendChild(document.createElement("p"));
  const list = node.appendChild(document.createElement("ul"));
  let listed = "";
  const approve = (round, approved, word) => {
    const words = approved.includes(word) ? approved.filter((one) => one !== word) : [...approved, word];
    channel.postMessage({ approves: { round, words } });
  };
  const showWords = ({ round, words, approved, isRevealed }) => {
    const said = JSON.stringify([round, words, approved, isRevealed]);
    if (said === listed) return; // a button that is being pressed stays
    listed = said;
    const hint = words && Object.assign(document.createElement("li"), { textContent: isRevealed ? "Press a word to show it to the hall." : "Press a word to approve it. The hall sees approved words after the reveal (R)." });
    list.replaceChildren(...(words ? [hint] : []), ...(words ?? []).map(({ word, count }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${word} · ${count}` });
      button.setAttribute("aria-pressed", approved.includes(word));
      button.onclick = () => approve(round, approved, word);
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
  };
  const show = ({ code, count, ...said }) => {
    const { isRevealed } = said;
    line.textContent = code ? `Room ${code} · ${count} ${count === 1 ? "has" : "have"} answered${isRevealed ? " · revealed" : ""}` : "";
    showWords(code ? said : { words: null });
  };
  channel.onmessage = ({ data }) => data.asks || data.approves || show(data);
  channel.postMessage({ asks: true });
  return () => channel.close();
}
