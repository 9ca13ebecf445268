// The result of the exam, at the tile that leads there: as this browser keeps it, see pages/exam/kept.js.
function markExam() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem("attention-lab-exam"));
  } catch {
    // a browser that keeps nothing, or something else under this name
  }
  const tile = `.tiles a[href="${window.attentionLabAddress("/exam")}"] strong::after`;
  const isOver = Number.isInteger(kept?.right) && Number.isInteger(kept?.of);
  window.attentionLabExamMark.textContent = isOver ? `${tile} { content: " · ${kept.right} of ${kept.of} right"; }` : "";
}

if (!window.attentionLabExamMark) {
  window.attentionLabExamMark = document.head.appendChild(document.createElement("style"));
  document.addEventListener("examined", markExam);
}
markExam();
