// Tells whether the server has begun to answer the last press or keystroke on the page. Loaded after at_rest.js.
const UNASKED = 4000; // ms after which a press is taken to need no answer
const PRESSED = "button, input, textarea, select, label, summary, svg, [role=option], [role=radio], [role=slider], [role=tab], .js-plotly-plot";

class Answers {
  constructor() {
    Object.assign(this, { pressed: -Infinity, begun: -Infinity });
    for (const kind of ["pointerup", "click", "keydown", "input", "change"]) {
      document.addEventListener(kind, (event) => this.press(event), { capture: true });
    }
    const look = (changes) => {
      if (changes.some(({ target }) => target.dataset.testScriptState !== "notRunning")) this.begun = performance.now();
    };
    new MutationObserver(look).observe(document.body, { attributes: true, attributeFilter: ["data-test-script-state"], subtree: true });
  }

  press(event) {
    const around = event.composedPath().filter((one) => one instanceof Element);
    if (around.some((one) => one.matches(".st-key-collect")) || !around.some((one) => one.matches(PRESSED))) return;
    this.pressed = performance.now();
  }

  get haveBegun() {
    return this.begun > this.pressed || performance.now() - this.pressed > UNASKED;
  }

  // Calls `then` once the page shows the answers to all presses, or the visitor leaves it.
  wait(then) {
    const { pathname } = location;
    let giveUp = null;
    const look = setInterval(() => {
      const isLeft = location.pathname !== pathname;
      if (!isLeft && this.haveBegun) giveUp ??= whenDrawn({ contentDocument: document }, () => {}, () => finish());
      if (isLeft) finish();
    }, 40);
    const finish = () => {
      giveUp?.();
      giveUp = null;
      if (location.pathname === pathname && !this.haveBegun) return; // something was pressed meanwhile
      clearInterval(look);
      then();
    };
  }
}

const answers = (window.attentionLabAnswers ??= new Answers());
