// Opens the room of the four letters.
document.querySelector("#enter").onsubmit = (event) => {
  event.preventDefault();
  const letters = document.querySelector("#letters").value.trim().toUpperCase();
  if (letters) location.href = new URL(`../${encodeURIComponent(letters)}`, import.meta.url);
};
document.querySelector("#letters").focus();
