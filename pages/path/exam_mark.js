// Shows the result of the exam, kept in this browser, on the tile of the exam, see pages/exam/kept.js.
function markExam() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem("attention-lab-exam"));
  } catch {
    // the store is blocked, or the value is not JSON
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
