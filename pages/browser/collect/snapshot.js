// A page as one SVG without scripts: its visible elements with their styles. It serves for small pictures of pages, and
// for the picture of the hall in the presenter's window.
const XHTML = "http://www.w3.org/1999/xhtml";
const LEFT_OUT = "script, style, link, noscript, template, iframe, object, embed, [data-testid=stSkeleton]";
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu;

// An image has no window. So window units become pixels, fixed elements become absolute, and rules for windows of
// another width are left out.
function rulesIn(sheets, page) {
  const view = page.defaultView;
  const text = (rules) => [...rules].map((rule) => {
    if (rule.type === CSSRule.FONT_FACE_RULE || rule.type === CSSRule.IMPORT_RULE) return "";
    if (rule.type === CSSRule.MEDIA_RULE) return view.matchMedia(rule.conditionText).matches ? text(rule.cssRules) : "";
    return rule.cssText;
  }).join("\n");
  const readable = [...sheets].map((sheet) => {
    try {
      return sheet.disabled ? "" : text(sheet.cssRules);
    } catch {
      return ""; // a style sheet of another server
    }
  });
  return readable.join("\n")
    .replace(/(\d*\.?\d+)[dsl]?vw\b/gu, (_, number) => `${number * view.innerWidth / 100}px`)
    .replace(/(\d*\.?\d+)[dsl]?vh\b/gu, (_, number) => `${number * view.innerHeight / 100}px`)
    .replace(/position:\s*(?:fixed|sticky)/gu, "position: absolute");
}

const stylesOf = (root) => [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])];

function copied(node, page) {
  const into = document.implementation.createDocument(XHTML, "html").documentElement.ownerDocument;
  const view = page.defaultView;
  const isSeen = (one) => !(one instanceof view.HTMLElement)
    || one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
    || getComputedStyle(one).display === "contents";
  const copy = (one) => {
    if (one.nodeType === Node.TEXT_NODE) return into.createTextNode(one.data.replace(CONTROL_CHARACTERS, ""));
    if (one.nodeType !== Node.ELEMENT_NODE || one.matches(LEFT_OUT) || !isSeen(one)) return null;
    if (one.localName === "canvas") return canvasOf(one, into);
    if (one.localName === "img" && one.src.startsWith("blob:")) return canvasOf(drawnOn(one), into, one);
    const made = into.createElementNS(one.namespaceURI, one.localName);
    for (const { name, value } of one.attributes) {
      if (/^[\w:-]+$/u.test(name) && !name.startsWith("on") && name !== "xmlns") keep(made, name, value);
    }
    if (one.localName === "input") made.setAttribute("value", one.value);
    const children = one.shadowRoot ? [...one.shadowRoot.childNodes] : one.localName === "textarea" ? [into.createTextNode(one.value)] : [...one.childNodes];
    made.append(...children.map(copy).filter(Boolean));
    if (one.shadowRoot) {
      const scoped = into.createElementNS(XHTML, "style");
      scoped.textContent = `@scope { ${rulesIn(stylesOf(one.shadowRoot), page).replace(/:host\(([^)]*)\)/gu, ":scope$1").replaceAll(":host", ":scope")} }`;
      made.prepend(scoped);
    }
    return made;
  };
  return copy(node);
}

function keep(made, name, value) {
  try {
    if (name.startsWith("xlink:")) made.setAttributeNS("http://www.w3.org/1999/xlink", name, value);
    else if (!name.includes(":") || name.startsWith("xml:")) made.setAttribute(name, value.replace(CONTROL_CHARACTERS, ""));
  } catch { /* not a valid name in XML */ }
}

// A picture with an address that only its own window can load.
function drawnOn(image) {
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth || 1, height: image.naturalHeight || 1 });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

// Replaces an element by an image of a canvas.
function canvasOf(one, into, { className, style, clientWidth, clientHeight } = one) {
  const image = into.createElementNS(XHTML, "img");
  try {
    image.setAttribute("src", one.toDataURL());
  } catch {
    return null;
  }
  image.setAttribute("class", className);
  image.setAttribute("style", `${style.cssText}; width: ${clientWidth}px; height: ${clientHeight}px`);
  return image;
}

// The snapshot of the page in a window or a frame: the text of the SVG, and its size. `part` is an element to crop to;
// `without` selects elements to leave out.
function snapshotOf(page, { part = null, without = "" } = {}) {
  const view = page.defaultView;
  const [width, height] = [view.innerWidth, view.innerHeight];
  const body = copied(page.body, page);
  if (!body || !width || !height) return null;
  const html = body.ownerDocument.createElementNS(XHTML, "html");
  const { documentElement: root } = page;
  for (const { name, value } of root.attributes) if (/^(?:class|data-[\w-]+|lang)$/u.test(name)) html.setAttribute(name, value);
  const scheme = getComputedStyle(page.querySelector("[data-testid=stApp]") ?? page.body).colorScheme;
  html.setAttribute("style", `${root.style.cssText}; color-scheme: ${scheme}; display: block; width: ${width}px; height: ${height}px; overflow: hidden; position: relative`);
  const style = body.ownerDocument.createElementNS(XHTML, "style");
  const hidden = without && `${without} { display: none !important; }`;
  style.textContent = `${rulesIn(stylesOf(page), page)}\n* { animation: none !important; transition: none !important; } ${hidden}`;
  html.append(style, body);
  const scrolled = page.querySelector(".stMain")?.scrollTop ?? 0;
  if (scrolled) html.querySelector(".stMain > *")?.setAttribute("style", `margin-top: -${scrolled}px`);
  const seen = part?.getBoundingClientRect() ?? { x: 0, y: 0, width, height };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" style="color-scheme: ${scheme}" width="${seen.width}" height="${seen.height}" viewBox="${seen.x} ${seen.y} ${seen.width} ${seen.height}">`
    + `<foreignObject x="0" y="0" width="${width}" height="${height}">${new XMLSerializer().serializeToString(html)}</foreignObject></svg>`;
  return { svg, width: seen.width, height: seen.height };
}
