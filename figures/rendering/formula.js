// A formula in LaTeX as HTML, as pages of the app set it.
async function typeset({ script, latex, isApart, isStrict }) {
  const katex = (await moduleOf(script)).default;
  return katex.renderToString(latex, { displayMode: isApart, output: "html", throwOnError: isStrict });
}
