// Adds the current view to the visitor's lecture, as a step titled with the question of its page.
const SAID_FOR = 6000; // ms

const titleHere = () => document.querySelector(".st-key-page_question h1")?.textContent.trim() ?? "";

function add({ link, title }) {
  const lecture = readLecture();
  const named = lecture.title.trim() ? `“${lecture.title.trim()}”` : "your lecture";
  const at = lecture.step.findIndex((one) => one.link === link);
  if (at >= 0) return `This is already step ${at + 1} of ${named}`;
  keepLecture({ ...lecture, step: [...lecture.step, asStep({ link, title })] });
  return `Added: step ${lecture.step.length + 1} of ${named}`;
}

// The address changes only after the server has answered a switch, so adding waits for the answer.
function addOnceAnswered(say) {
  const { pathname } = location;
  let seen = { link: linkHere(), title: titleHere() };
  const look = () => {
    if (location.pathname === pathname) seen = { link: linkHere(), title: titleHere() };
  };
  const timer = setInterval(look, 40);
  answers.wait(() => {
    clearInterval(timer);
    look();
    const warnings = location.pathname === pathname ? warningsHere() : [];
    say(add(seen), warnings);
  });
}

export default function ({ parentElement }) {
  if (window.attentionLabPlayedBy?.()) { // in the player of a lecture nothing is collected
    parentElement.querySelector(".collect").hidden = true;
    return undefined;
  }
  const root = parentElement.querySelector(".collect");
  const said = () => parentElement.querySelector("[role=status]");
  const say = (text, warnings) => {
    root.isWaiting = false;
    const lead = Object.assign(document.createElement("a"), { href: window.attentionLabAddress("/lecture"), textContent: "Open the lecture" });
    said()?.replaceChildren(`${text} · `, lead, ...warnings.map((one) => Object.assign(document.createElement("p"), { textContent: one })));
    clearTimeout(root.timer);
    root.timer = setTimeout(() => said()?.replaceChildren(), warnings.length ? 2 * SAID_FOR : SAID_FOR);
  };
  parentElement.querySelector("button").onclick = () => {
    if (root.isWaiting) return;
    root.isWaiting = true;
    clearTimeout(root.timer);
    said().replaceChildren("Adding …");
    addOnceAnswered(say);
  };
  return undefined;
}
