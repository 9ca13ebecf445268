// Runs before a page's own scripts: `illegible()` says which writing in or above a figure cannot be read, because
// it is cut off, stands on other writing, or is covered. A few pixels of a letter's own room do not count.
(() => {
  const CUT = 2, ON = { width: 4, height: 8 };

  // Every place is asked for once: each writing is compared with all others.
  const placed = (one) => ({ one, box: one.getBoundingClientRect() });
  const isShown = ({ one, box }) =>
    box.width > 0 && box.height > 0 && one.textContent.trim() !== "" && getComputedStyle(one).opacity !== "0";
  const isLevel = ({ one }) => Math.abs(one.getScreenCTM()?.b ?? 0) < 0.01;
  const isOn = ({ box: a }, { box: b }, { width, height }) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > width
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > height;
  const isCut = ({ box: inner }, { box: outer }) =>
    outer.left - inner.left > CUT || inner.right - outer.right > CUT
    || outer.top - inner.top > CUT || inner.bottom - outer.bottom > CUT;

  window.illegible = () => {
    const figures = [...document.querySelectorAll(".js-plotly-plot .main-svg:first-child")].map(placed);
    const covered = [...document.querySelectorAll("h2")].map(placed).filter(isShown)
      .filter((heading) => figures.some((figure) => isOn(heading, figure, { width: 0, height: 1 })))
      .map((heading) => `covered: ${heading.one.innerText}`);
    const found = figures.flatMap((figure) => {
      const texts = [...figure.one.parentElement.querySelectorAll("text")].map(placed).filter(isShown);
      const level = texts.filter(isLevel);
      return [
        ...texts.filter((text) => isCut(text, figure)).map((text) => `cut off: ${text.one.textContent}`),
        ...level.flatMap((text, at) => level.slice(at + 1).filter((other) => isOn(text, other, ON))
          .map((other) => `on each other: ${text.one.textContent} and ${other.one.textContent}`)),
      ];
    });
    return [...covered, ...found];
  };
})();
