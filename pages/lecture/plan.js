// The plan of a lecture on paper: thumbnails with titles, questions, notes and addresses.
const LOOK_OF_PLAN = `
  #lecture_plan ol { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 7pt 9pt; }
  #lecture_plan ol.with_notes { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  #lecture_plan li { border: 0.5pt solid #888; border-radius: 3pt; padding: 6pt; }
  #lecture_plan img { display: block; height: 74pt; max-width: 100%; object-fit: contain; margin-bottom: 4pt; }
  #lecture_plan .question { font-style: italic; }
  #lecture_plan .notes { white-space: pre-line; }`;

function planStep(step, at, { pictures, withNotes }) {
  const node = make("li");
  const src = step.kind ? step.picture : keptPicture(step.link, "light") || pictureOf(step.link, pictures) || numberCard(at + 1);
  if (src) node.append(make("img", "", "", { src, alt: "" }));
  node.append(make("h2", "", `${at + 1} · ${step.title}`));
  for (const name of ["sentence", "formula", "text"]) {
    if (step[name] && step[name] !== "none") node.append(make("p", "notes", step[name]));
  }
  if (step.question) node.append(make("p", "question", step.question));
  if (step.options.length) node.append(make("p", "", step.options.join(" / ")));
  if (step.covered) node.append(make("p", "", "Covered at first."));
  if (withNotes && step.notes) node.append(make("p", "notes", step.notes));
  if (!step.kind) node.append(make("p", "address", location.origin + window.attentionLabAddress(step.link)));
  return node;
}

function layPlan(lecture, given) {
  const steps = make("ol", given.withNotes ? "with_notes" : "");
  steps.append(...lecture.step.map((step, at) => planStep(step, at, given)));
  return layOnPaper("lecture_plan", LOOK_OF_PLAN, make("h1", "", lecture.title || "My lecture"), steps);
}

async function printPlan(lecture, given) {
  const plan = layPlan(lecture, given);
  await Promise.allSettled([...plan.querySelectorAll("img")].map((one) => one.decode()));
  addEventListener("afterprint", () => plan.remove(), { once: true });
  print();
}
