// Sends the lecturers' key; the server answers with a cookie that is hidden from scripts.
const field = document.querySelector("#key");
const said = document.querySelector("#said");
document.querySelector("#lecturer").onsubmit = async (event) => {
  event.preventDefault();
  said.textContent = "";
  try {
    const body = JSON.stringify({ key: field.value.trim() });
    const answer = await fetch(new URL("../lecturer/key", import.meta.url), { method: "POST", headers: { "Content-Type": "application/json" }, body });
    said.textContent = answer.ok
      ? "This browser opens rooms past the limits for twelve hours. Load the pages that are open once more."
      : (await answer.json()).refused;
    if (answer.ok) field.value = "";
  } catch {
    said.textContent = "No connection at the moment. Try again.";
  }
};
field.focus();
