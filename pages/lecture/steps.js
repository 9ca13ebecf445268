// The steps of a lecture on the page: each with its small picture, its texts, and the buttons that move it.

const DRAGGED = "application/x-lecture-step";

function make(tag, kind = "", text = "", more = {}) {
  const node = Object.assign(document.createElement(tag), more);
  if (kind) node.className = kind;
  if (text) node.textContent = text;
  return node;
}

function button(text, onclick, more = {}) {
  return make("button", "", text, { type: "button", onclick, ...more });
}

// The small picture of a link; without a view in the link, the picture of the first view of its page. A link with another
// sentence or other switches has none.
function pictureOf(link, pictures) {
  const { pathname, searchParams } = new URL(link, location.origin);
  if ([...searchParams.keys()].some((name) => name !== "view")) return "";
  const views = pictures[pathname.replace(/^\/|\/$/g, "")] ?? [];
  const wanted = searchParams.get("view") ?? views[0]?.[0];
  return window.attentionLabAddress(views.find(([view]) => view === wanted)?.[1] ?? "");
}

const later = new DrawLater();

// The picture of a step, with its sentence and its switches; until it is drawn a substitute.
function image(link, pictures, number) {
  return later.show(make("img", "", "", { alt: "" }), link, pictureOf(link, pictures) || numberCard(number));
}

function field(label, node) {
  const around = make("label", "field");
  around.append(make("span", "", label), node);
  return around;
}

// `change(name, value)` keeps what is typed, `move(by)`, `drop(from)`, `copy()` and `remove()` change the order.
function stepNode(step, at, n, { pictures, longest, most, wrongRight, katexAddress, say, change, move, drop, copy, remove }) {
  const node = make("li", "step", "", { tabIndex: -1 });
  const typed = (name, tag = "input") => make(tag, "", "", {
    value: step[name], maxLength: longest[name], rows: 4, oninput: ({ target }) => keep(name, target.value),
  });
  const lead = step.kind ? make("div", "picture") : make("a", "picture", "", { href: window.attentionLabAddress(step.link), ariaLabel: `Open step ${at + 1}`, target: "_self" });
  const seen = step.kind ? slidePreview(step, katexAddress) : image(step.link, pictures, at + 1);
  lead.append(seen);
  const keep = (name, value, isDrawn) => {
    step[name] = value;
    seen.renew?.(step);
    change(name, value, isDrawn);
  };
  const covered = make("input", "", "", { type: "checkbox", checked: step.covered, onchange: ({ target }) => change("covered", target.checked) });
  const cover = make("label", "check");
  cover.append(covered, "Covered until you reveal it");
  const more = make("details");
  more.append(
    make("summary", "", step.notes || step.question ? "Notes and question" : "Add notes and a question"),
    field("Notes, for you alone", typed("notes", "textarea")),
    ...questionFields({ step, at, typed, change: keep, wrongRight }),
    ...(step.kind ? [] : [field("Sentence in place of the view’s own; empty for none", typed("sentence"))]),
    cover,
  );
  more.open = Boolean(step.isOpen);
  const texts = make("div", "texts");
  const shown = step.kind
    ? slideFields({ step, typed, change: keep, most, say })
    : [make("a", "address", step.link, { href: window.attentionLabAddress(step.link), target: "_self" })];
  texts.append(field(`Title of step ${at + 1}`, typed("title")), ...shown, more);
  const moves = make("div", "moves");
  moves.append(
    button("↑", () => move(-1), { disabled: at === 0, ariaLabel: `Step ${at + 1} up` }),
    button("↓", () => move(1), { disabled: at === n - 1, ariaLabel: `Step ${at + 1} down` }),
    button("Duplicate", copy, { ariaLabel: `Duplicate step ${at + 1}` }),
    button("Remove", remove, { ariaLabel: `Remove step ${at + 1}` }),
  );
  const handle = make("span", "number", `${at + 1}`, { draggable: true, title: "Drag the step to its new place" });
  handle.ondragstart = ({ dataTransfer }) => dataTransfer.setData(DRAGGED, `${at}`);
  node.ondragover = (event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault();
  node.ondrop = (event) => {
    event.preventDefault();
    drop(Number(event.dataTransfer.getData(DRAGGED)));
  };
  node.append(handle, lead, texts, moves);
  return node;
}
