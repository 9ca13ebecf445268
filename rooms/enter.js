// Four letters lead to a room.
document.querySelector("#enter").onsubmit = (event) => {
  event.preventDefault();
  const letters = document.querySelector("#letters").value.trim().toUpperCase();
  if (letters) location.href = `/room/${encodeURIComponent(letters)}`;
};
document.querySelector("#letters").focus();
