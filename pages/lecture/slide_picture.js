// The picture of a slide. A link has no room for it, so its name leads to the picture in the lecture that this browser
// keeps, see slide_picture.py.
const NAMED = /^browser:([0-9a-f]{8})-(\d+)$/;
const GONE = "This picture is in the file of the lecture, and not in this browser: upload the file on the page Lecture.";

function checksum(text) {
  let sum = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    sum ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

function inBrowser(named) {
  const [, sum, length] = NAMED.exec(named) ?? [];
  const kept = readLecture().step.map(({ picture }) => picture);
  return kept.find((one) => one?.length === Number(length) && checksum(one) === sum) ?? "";
}

export default function ({ data, parentElement }) {
  const picture = data.picture.startsWith("data:image/") ? data.picture : inBrowser(data.picture);
  const node = document.createElement(picture ? "img" : "p");
  if (picture) Object.assign(node, { src: picture, alt: data.alt });
  else node.textContent = GONE;
  parentElement.querySelector("img, p")?.remove();
  parentElement.append(node);
}
