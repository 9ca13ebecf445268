// Runs before a page's own scripts: `illegible()` says which writing in or above a figure cannot be read, because
// it is cut off, stands on other writing, or is covered. A few pixels of a letter's own room do not count.
(() => {
  const CUT = 2, ON = { width: 4, height: 8 };

  const isShown = (one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 0 && height > 0 && one.textContent.trim() !== "" && getComputedStyle(one).opacity !== "0";
  };
  const isLevel = (text) => Math.abs(text.getScreenCTM()?.b ?? 0) < 0.01;
  const shared = (a, b) => ({
    width: Math.min(a.right, b.right) - Math.max(a.left, b.left),
    height: Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  });
  const isOn = (a, b, { width, height }) => {
    const common = shared(a.getBoundingClientRect(), b.getBoundingClientRect());
    return common.width > width && common.height > height;
  };
  const isCut = (text, figure) => {
    const inner = text.getBoundingClientRect(), outer = figure.getBoundingClientRect();
    return outer.left - inner.left > CUT || inner.right - outer.right > CUT
      || outer.top - inner.top > CUT || inner.bottom - outer.bottom > CUT;
  };

  window.illegible = () => {
    const figures = [...document.querySelectorAll(".js-plotly-plot .main-svg:first-child")];
    const covered = [...document.querySelectorAll("h2")].filter(isShown)
      .filter((heading) => figures.some((figure) => isOn(heading, figure, { width: 0, height: 1 })))
      .map((heading) => `covered: ${heading.innerText}`);
    const found = figures.flatMap((figure) => {
      const texts = [...figure.parentElement.querySelectorAll("text")].filter(isShown);
      const level = texts.filter(isLevel);
      return [
        ...texts.filter((text) => isCut(text, figure)).map((text) => `cut off: ${text.textContent}`),
        ...level.flatMap((one, at) => level.slice(at + 1).filter((other) => isOn(one, other, ON))
          .map((other) => `on each other: ${one.textContent} and ${other.textContent}`)),
      ];
    });
    return [...covered, ...found];
  };
})();
