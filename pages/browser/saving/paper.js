// A sheet that is printed in place of the app, which is hidden while the browser prints.
const ON_PAPER = `
  .on_paper { display: none; }
  @media print {
    body:has(> .on_paper) > :not(.on_paper) { display: none !important; }
    html:has(.on_paper), html:has(.on_paper) body { height: auto !important; overflow: visible !important; position: static !important; background: #fff; }
    .on_paper { display: block; color: #000; background: #fff; font: 10pt/1.35 'Source Sans', Arial, sans-serif; }
    .on_paper h1 { font-size: 15pt; margin: 0 0 8pt; padding: 0; }
    .on_paper ol { list-style: none; margin: 0; padding: 0; }
    .on_paper li { break-inside: avoid; }
    .on_paper :is(h2, p) { margin: 0 0 3pt; padding: 0; font-size: 9pt; line-height: 1.3; }
    .on_paper h2 { font-size: 10.5pt; }
    .on_paper .address { font-size: 7.5pt; overflow-wrap: anywhere; color: #333; }
  }`;

// Adds a sheet of these nodes, and replaces the sheet of the same name. `look` has its CSS rules for print.
function layOnPaper(id, look, ...nodes) {
  document.querySelector(`#${id}`)?.remove();
  const paper = Object.assign(document.createElement("div"), { id, className: "on_paper" });
  const style = Object.assign(document.createElement("style"), { textContent: `${ON_PAPER} @media print { ${look} }` });
  paper.append(style, ...nodes);
  document.body.append(paper);
  return paper;
}
