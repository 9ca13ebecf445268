// Fetches a file that the server makes, and hands it to the browser to keep. What the server cannot do it says in a
// sentence, which becomes the message of an Error.
const UNREACHABLE = "The server cannot be reached.";
const SILENT = "The server does not answer at the moment. Try again in a minute.";

// A file that waits for others is asked for again until it is made; `tell` gets its place among them. What a link has no room
// for is `sent` along.
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
  // A server that stands before ours answers with a page: that is nothing to be read here.
  const isOurs = answer.headers.get("content-type")?.startsWith("text/plain");
  throw new Error((isOurs && (await answer.text()).slice(0, 400)) || SILENT);
}

// What nobody has chosen a theme for looks as the page does.
const themeHere = () => (getComputedStyle(document.querySelector(".stApp")).colorScheme === "dark" ? "dark" : "light");

const nameOf = (answer) => answer.headers.get("content-disposition")?.match(/filename="([\w.-]+)"/)?.[1] ?? "figure";

// What the server could not draw in a file, as a sentence.
const warningOf = (answer) => decodeURIComponent(answer.headers.get("x-warning") ?? "");

// Returns the name under which it is kept, and what could not be drawn.
async function fetchFile(address, signal, tell, sent) {
  const answer = await fetched(address, signal, tell, sent);
  const href = URL.createObjectURL(await answer.blob());
  const download = nameOf(answer);
  Object.assign(document.createElement("a"), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  const warning = warningOf(answer);
  return `Saved as ${download}${warning && `. ${warning}`}`;
}

// A link to a file on a page, which is made in the theme of the page unless the link names one: what it says tells how far
// the file is.
async function followLink(link, event) {
  event.preventDefault();
  if (link.dataset.text) return; // it is being made
  const say = (text) => { link.textContent = text; };
  link.dataset.text = link.textContent;
  say("Being made …");
  try {
    const order = new URL(link.href);
    if (!order.searchParams.has("theme")) order.searchParams.set("theme", themeHere());
    await fetchFile(order.href, undefined, say);
    say(link.dataset.text);
  } catch (error) {
    say(error.message);
  }
  delete link.dataset.text;
}
