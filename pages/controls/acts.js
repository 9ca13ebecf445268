// What the visitor has done on this page, as the addresses that each act has left, for this tab alone: undo leads back
// to the last of them on the same way as the browser's Back, which asks the server for what the address says.
//
// An act is one press, one stroke or one bout of typing, and all that the address changes because of it, some of which
// comes from the server later. A press that changes nothing leaves nothing to undo.
const MOST_KEPT = 50; // acts
const PENDING = 400; // ms within which a press may still be on its way to the server
const BURST = 60; // ms within which one act changes several parameters
const PAUSE = 2000; // ms after which typing begins anew
const LONGEST_REST = 5000; // ms for which undo waits for the answer to the last act
const TYPED_INTO = "textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], [type=range])";
const ONLY_WITH_OTHERS = ["Shift", "Control", "Alt", "Meta", "Tab"];

const isBusy = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";

function differing(one, other) {
  const [before, after] = [one, other].map((address) => new URL(address).searchParams);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.getAll(name).join("\n") !== after.getAll(name).join("\n"));
}

function without(address, names) {
  const left = new URL(address);
  for (const name of names) left.searchParams.delete(name);
  return left.href;
}

function setOrDelete(address, name, value) {
  if (value === null) address.searchParams.delete(name);
  else address.searchParams.set(name, value);
}

class Acts {
  // `replay` shows an address, `stepBack` goes one step back in the browser's history.
  constructor({ replay, stepBack }) {
    Object.assign(this, { replay, stepBack, onChange: () => {}, timer: null });
    this.forget();
  }

  // Another page, or the same by another link: what was done before cannot be taken back here.
  forget() {
    clearInterval(this.timer);
    Object.assign(this, { kept: [], here: location.href, timer: null, wanted: [], ahead: new Map() });
    this.begin();
    this.onChange();
  }

  begin() {
    Object.assign(this, { presses: 0, names: new Set(), pressed: -Infinity, changed: -Infinity, typedInto: null });
  }

  // Somebody has pressed something; whether it does anything the address will show.
  press(event) {
    if (event.repeat || ONLY_WITH_OTHERS.includes(event.key)) return;
    const [target] = event.composedPath();
    const now = performance.now();
    const typedInto = event.type === "keydown" && target.matches?.(TYPED_INTO) ? target : null;
    const goesOn = typedInto !== null && typedInto === this.typedInto && now - this.pressed < PAUSE;
    this.before = { presses: this.presses, pressed: this.pressed, typedInto: this.typedInto };
    // What was pressed long ago, while nothing is being answered, has changed nothing.
    if (!isBusy() && now - this.pressed > PENDING) this.presses = 0;
    Object.assign(this, { presses: this.presses + (goesOn ? 0 : 1), pressed: now, typedInto });
  }

  // The last press was one that is no act itself, as that of undo.
  unpress() {
    Object.assign(this, this.before);
  }

  // The address is another. `isStep` where that was made a step of the browser's history.
  change(isStep = false) {
    const address = this.caughtUp(location.href);
    const names = differing(this.here, address);
    if (names.length) this.note(names, address, isStep);
  }

  // An address from the server, with what was opened in the browser since and is not in it yet.
  caughtUp(href) {
    const address = new URL(href);
    for (const [name, value] of this.ahead) {
      if (address.searchParams.get(name) === value) this.ahead.delete(name);
      else setOrDelete(address, name, value);
    }
    return address.href;
  }

  // A parameter that changes again was changed by the next press, if there was one.
  note(names, address, isStep) {
    const now = performance.now();
    const goesOn = now - this.changed < BURST && !names.some((name) => this.names.has(name));
    if (this.presses > 0 && !goesOn) {
      this.keep(isStep);
      this.presses -= 1;
      this.names = new Set();
    } else if (isStep) {
      this.keep(isStep);
    }
    for (const name of names) this.names.add(name);
    Object.assign(this, { here: address, changed: now });
  }

  keep(isStep) {
    this.kept = [...this.kept, { address: this.here, isStep }].slice(-MOST_KEPT);
    this.onChange();
  }

  // Something was opened in the browser alone, of which the server may hear later or never.
  pass(parameters) {
    const address = new URL(this.here);
    for (const [name, value] of Object.entries(parameters)) {
      setOrDelete(address, name, value);
      this.ahead.set(name, value);
    }
    if (differing(this.here, address.href).length) this.note(Object.keys(parameters), address.href, false);
  }

  // The server has heard of all that was opened under these names, or never will.
  answered(names) {
    for (const name of names) this.ahead.delete(name);
  }

  get canUndo() {
    return this.kept.length > 0;
  }

  undo() {
    this.ask(() => this.goBack());
  }

  // Take the `names` out of the address; whether there were any.
  drop(names) {
    if (this.here === without(this.here, names)) return false;
    this.ask(() => {
      const left = without(this.here, names);
      if (left === this.here) return;
      this.keep(false);
      this.show(left, this.replay);
    });
    return true;
  }

  // One after the other, each when the act before it has been answered: else the answer would come after it.
  ask(act) {
    this.wanted.push(act);
    if (this.timer !== null) return;
    const begun = performance.now();
    let quiet = 0;
    const look = () => {
      const now = performance.now();
      const isPending = this.ahead.size > 0 || (this.presses > 0 && now - this.pressed < PENDING);
      quiet = isBusy() || isPending ? 0 : quiet + 1;
      if (quiet < 2 && now - begun < LONGEST_REST) return;
      clearInterval(this.timer);
      this.timer = null;
      this.wanted.shift()();
      if (this.wanted.length) this.ask(this.wanted.shift());
    };
    this.timer = setInterval(look, 30);
  }

  goBack() {
    const last = this.kept.pop();
    this.onChange();
    if (last) this.show(last.address, last.isStep ? this.stepBack : this.replay);
  }

  show(address, lead) {
    this.begin();
    this.ahead.clear();
    this.here = address;
    lead(address);
  }

  // The browser's own Back or Forward has led to another address.
  travel() {
    const at = this.kept.findLastIndex(({ address, isStep }) => isStep && address === location.href);
    if (new URL(this.here).pathname !== location.pathname || at < 0) this.forget();
    else this.kept = this.kept.slice(0, at);
    this.begin();
    this.ahead.clear();
    this.here = location.href;
    this.onChange();
  }
}
