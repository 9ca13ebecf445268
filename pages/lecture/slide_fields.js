// The fields of a slide, and of the question of a step, below the title of a step on the page.
const KINDS = { title: "Title", agenda: "Agenda", text: "Text", formula: "Formula", picture: "Picture", end: "End" };
const OF_KIND = { title: ["text"], agenda: ["text"], text: ["text"], formula: ["formula", "text"], picture: ["picture", "text"], end: ["text"] };
const LABELS = { text: "Text (Markdown)", formula: "Formula (LaTeX)", picture: "Picture" };
const ASKED = {
  "": "only on the wall", choice: "phones choose an option", number: "phones give a number", order: "phones put in order",
  drawing: "phones draw bars", words: "phones type words",
};
const WITH_OPTIONS = { choice: "Options, one per line", order: "In the right order, one per line", drawing: "Bars, one per line" };
const RIGHT = { choice: "Right: an option or its number (or empty)", number: "Right number (or empty)", drawing: "Right heights, separated by spaces (or empty)" };
const NO_PICTURE = "A slide takes a PNG, JPEG or WebP.";
const TOO_LARGE = "This picture cannot be made small enough.";
const WIDTHS = [1600, 1200, 900, 640];

function emptyStep(kind) {
  return { ...asStep({ kind }), title: kind === "end" ? "Thank you" : "" };
}

// A picture as a data URL of at most so many bytes: a larger one is drawn smaller.
async function shrunk(file, most) {
  if (!/^image\/(png|jpeg|webp)$/.test(file.type)) throw new Error(NO_PICTURE);
  const bytes = (url) => (3 / 4) * (url.length - url.indexOf(",") - 1);
  const whole = await new Promise((resolve, reject) => {
    const reader = Object.assign(new FileReader(), { onload: () => resolve(reader.result), onerror: () => reject(new Error(NO_PICTURE)) });
    reader.readAsDataURL(file);
  });
  const image = make("img", "", "", { src: whole });
  await image.decode().catch(() => { throw new Error(NO_PICTURE); });
  if (bytes(whole) <= most && image.naturalWidth * image.naturalHeight <= 12e6) return whole;
  const canvas = document.createElement("canvas");
  for (const width of WIDTHS) {
    const scale = Math.min(1, width / Math.max(image.naturalWidth, image.naturalHeight));
    Object.assign(canvas, { width: Math.round(scale * image.naturalWidth) || 1, height: Math.round(scale * image.naturalHeight) || 1 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    for (const [kind, quality] of [["image/png"], ["image/webp", 0.9], ["image/webp", 0.75], ["image/jpeg", 0.7]]) {
      const url = canvas.toDataURL(kind, quality);
      if (url.startsWith(`data:${kind}`) && bytes(url) <= most) return url;
    }
  }
  throw new Error(TOO_LARGE);
}

function choiceOf(label, named, value, onchange) {
  const node = make("select", "", "", { onchange: () => onchange(node.value) });
  node.append(...Object.entries(named).map(([name, text]) => make("option", "", text, { value: name })));
  node.value = value;
  return field(label, node);
}

function pictureField({ step, change, most, say }) {
  const file = make("input", "", "", { type: "file", accept: "image/png,image/jpeg,image/webp" });
  file.onchange = async () => {
    try {
      if (file.files[0]) change("picture", await shrunk(file.files[0], most), true);
    } catch (error) {
      say(error.message, "alert");
    }
    file.value = "";
  };
  return field(step.picture ? "Another picture" : LABELS.picture, file);
}

// The fields of a slide. `change(name, value, isDrawn)` keeps a value, and redraws the steps if the fields change with it.
function slideFields({ step, typed, change, most, say }) {
  const kind = choiceOf("Kind of slide", KINDS, step.kind, (to) => {
    for (const name of ["text", "formula", "picture"]) if (!OF_KIND[to].includes(name)) change(name, "");
    change("kind", to, true);
  });
  const fields = (OF_KIND[step.kind] ?? []).map((name) => (
    name === "picture" ? pictureField({ step, change, most, say }) : field(LABELS[name], typed(name, "textarea"))));
  return [kind, ...fields];
}

const A_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const isNumber = (text) => A_NUMBER.test(text) && Number.isFinite(Number(text));

// Whether the typed right answer is valid, as in step.py. Without options, the file is refused for its options.
function canBeRight({ answer_kind: kind, options, right }) {
  if (!right || (kind in WITH_OPTIONS && !options.length)) return true;
  if (kind === "choice") return options.includes(right) || (/^\d{1,3}$/.test(right) && right >= 1 && right <= options.length);
  if (kind === "number") return isNumber(right);
  const heights = right.split(/\s+/).filter(Boolean);
  if (!heights.length) return true;
  return heights.every(isNumber) && heights.length === options.length && Math.min(...heights) >= 0 && Math.max(...heights) > 0;
}

// The field of the right answer, with a sentence below while it is invalid.
function rightField({ step, at, typed, wrongRight }) {
  const input = typed("right");
  const said = make("p", "wrong", "", { id: `wrong_right_${at}` });
  said.setAttribute("role", "status");
  const node = field(RIGHT[step.answer_kind], input);
  node.append(said);
  node.renew = () => {
    const isWrong = !canBeRight(step);
    input.setAttribute("aria-invalid", isWrong);
    input.setAttribute("aria-describedby", said.id);
    said.textContent = isWrong ? `Step ${at + 1}: ${wrongRight[step.answer_kind]}.` : "";
  };
  node.renew();
  return node;
}

// How phones answer the question of a step.
function questionFields({ step, at, typed, change, wrongRight }) {
  const kind = choiceOf("How it is answered", ASKED, step.answer_kind, (to) => {
    if (!(to in WITH_OPTIONS)) change("options", []);
    if (!(to in RIGHT)) change("right", "");
    change("answer_kind", to, true);
  });
  const nodes = [field("Question for the room", typed("question")), kind];
  const right = step.answer_kind in RIGHT && rightField({ step, at, typed, wrongRight });
  if (step.answer_kind in WITH_OPTIONS) {
    const lines = ({ target }) => {
      change("options", target.value.split("\n").map((one) => one.trim()).filter(Boolean));
      if (right) right.renew();
    };
    nodes.push(field(WITH_OPTIONS[step.answer_kind], make("textarea", "", "", { rows: 4, value: step.options.join("\n"), oninput: lines })));
  }
  if (right) {
    right.addEventListener("input", () => right.renew());
    nodes.push(right);
  }
  return nodes;
}
