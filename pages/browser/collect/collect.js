// Adds what is seen to the lecture that is being collected, as a step with the question of its page.
const SAID_FOR = 6000; // ms

function addHere() {
  const lecture = readLecture();
  const link = linkHere();
  const at = lecture.step.findIndex((one) => one.link === link);
  if (at >= 0) return `This is step ${at + 1} already`;
  const title = document.querySelector(".st-key-page_question h1")?.textContent.trim() ?? "";
  keepLecture({ ...lecture, step: [...lecture.step, asStep({ link, title })] });
  return `Added as step ${lecture.step.length + 1}`;
}

export default function ({ parentElement }) {
  const [button, said] = ["button", "[role=status]"].map((one) => parentElement.querySelector(one));
  let timer = 0;
  button.onclick = () => {
    const lead = Object.assign(document.createElement("a"), { href: window.attentionLabAddress("/lecture"), textContent: "My lecture" });
    said.replaceChildren(`${addHere()} · `, lead);
    clearTimeout(timer);
    timer = setTimeout(() => said.replaceChildren(), SAID_FOR);
  };
  return () => clearTimeout(timer);
}
