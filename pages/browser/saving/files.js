// Fetches a file that the server makes, and gives it to the browser to save. A refusal of the server is a sentence, which
// becomes the message of an Error.
const UNREACHABLE = "The server cannot be reached.";
const SILENT = "The server does not answer at the moment. Try again in a minute.";

// A file that waits in the queue is requested again until it is made; `tell` gets its place. `sent` has the data that do
// not fit into the link.
async function fetched(address, signal, tell = () => {}, sent = []) {
  let answer;
  const along = sent.length ? { method: "POST", body: JSON.stringify(sent) } : {};
  try {
    do {
      answer = await fetch(address, { signal, credentials: "same-origin", headers: { prefer: "respond-async" }, ...along });
      if (answer.status === 202) tell(await answer.text());
    } while (answer.status === 202);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(UNREACHABLE);
  }
  if (answer.ok) return answer;
  // A proxy may answer with a page of its own, which is no sentence for the visitor.
  const isOurs = answer.headers.get("content-type")?.startsWith("text/plain");
  throw new Error((isOurs && (await answer.text()).slice(0, 400)) || SILENT);
}

// The theme of the page, for files without a chosen theme.
const themeHere = () => (getComputedStyle(document.querySelector(".stApp")).colorScheme === "dark" ? "dark" : "light");

const nameOf = (answer) => answer.headers.get("content-disposition")?.match(/filename="([\w.-]+)"/)?.[1] ?? "figure";

// A sentence on parts of a file that the server could not draw.
const warningOf = (answer) => decodeURIComponent(answer.headers.get("x-warning") ?? "");

// Returns a sentence with the name of the file and the parts that could not be drawn.
async function fetchFile(address, signal, tell, sent) {
  const answer = await fetched(address, signal, tell, sent);
  const href = URL.createObjectURL(await answer.blob());
  const download = nameOf(answer);
  Object.assign(document.createElement("a"), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  const warning = warningOf(answer);
  return `Saved as ${download}${warning && `. ${warning}`}`;
}

// Follows a link to a file, which is made in the theme of the page unless the link names one. Meanwhile the text of the
// link shows the progress.
async function followLink(link, event) {
  event.preventDefault();
  if (link.dataset.text) return; // it is being made
  const say = (text) => { link.textContent = text; };
  link.dataset.text = link.textContent;
  say("Being made …");
  try {
    const request = new URL(link.href);
    if (!request.searchParams.has("theme")) request.searchParams.set("theme", themeHere());
    await fetchFile(request.href, undefined, say);
    say(link.dataset.text);
  } catch (error) {
    say(error.message);
  }
  delete link.dataset.text;
}
