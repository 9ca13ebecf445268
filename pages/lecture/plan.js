// The plan of a lecture on paper: thumbnails with titles, questions, notes and addresses. It stands beside the app, which
// is hidden while the browser prints.
const ON_PAPER = `
  #lecture_plan { display: none; }
  @media print {
    body:has(> #lecture_plan) > :not(#lecture_plan) { display: none !important; }
    html:has(#lecture_plan), html:has(#lecture_plan) body { height: auto !important; overflow: visible !important; position: static !important; background: #fff; }
    #lecture_plan { display: block; color: #000; background: #fff; font: 10pt/1.35 'Source Sans', Arial, sans-serif; }
    #lecture_plan h1 { font-size: 15pt; margin: 0 0 8pt; padding: 0; }
    #lecture_plan ol { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 7pt 9pt; }
    #lecture_plan ol.with_notes { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    #lecture_plan li { break-inside: avoid; border: 0.5pt solid #888; border-radius: 3pt; padding: 6pt; }
    #lecture_plan img { display: block; height: 74pt; max-width: 100%; object-fit: contain; margin-bottom: 4pt; }
    #lecture_plan :is(h2, p) { margin: 0 0 3pt; padding: 0; font-size: 9pt; line-height: 1.3; }
    #lecture_plan h2 { font-size: 10.5pt; }
    #lecture_plan .question { font-style: italic; }
    #lecture_plan .notes { white-space: pre-line; }
    #lecture_plan .address { font-size: 7.5pt; overflow-wrap: anywhere; color: #333; }
  }`;

function planStep(step, at, { pictures, withNotes }) {
  const node = make("li");
  const src = pictureOf(step.link, pictures);
  if (src) node.append(make("img", "", "", { src, alt: "" }));
  node.append(make("h2", "", `${at + 1} · ${step.title}`));
  if (step.question) node.append(make("p", "question", step.question));
  if (step.covered) node.append(make("p", "", "Covered at first."));
  if (withNotes && step.notes) node.append(make("p", "notes", step.notes));
  node.append(make("p", "address", location.origin + window.attentionLabAddress(step.link)));
  return node;
}

function layPlan(lecture, given) {
  document.querySelector("#lecture_plan")?.remove();
  const plan = make("div", "", "", { id: "lecture_plan" });
  const steps = make("ol", given.withNotes ? "with_notes" : "");
  steps.append(...lecture.step.map((step, at) => planStep(step, at, given)));
  plan.append(make("style", "", ON_PAPER), make("h1", "", lecture.title || "My lecture"), steps);
  document.body.append(plan);
  return plan;
}

async function printPlan(lecture, given) {
  const plan = layPlan(lecture, given);
  await Promise.allSettled([...plan.querySelectorAll("img")].map((one) => one.decode()));
  addEventListener("afterprint", () => plan.remove(), { once: true });
  print();
}
