// Draws small pictures of links that this browser has not opened yet, one at a time in a hidden frame, while an image
// waits for them. Loaded after at_rest.js and kept_pictures.js.
class DrawLater {
  constructor() {
    Object.assign(this, { waiting: [], failed: new Set(), frame: null });
  }

  get theme() {
    return getComputedStyle(document.querySelector("[data-testid=stApp]")).colorScheme;
  }

  // Shows the picture of a link in an image: the kept one, or a `substitute` until it is drawn.
  show(image, link, substitute) {
    const kept = keptPicture(link, this.theme);
    image.src = kept || substitute;
    if (kept || this.failed.has(link)) return image;
    const seen = new IntersectionObserver(([one]) => {
      if (!one.isIntersecting) return;
      seen.disconnect();
      this.waiting.push({ link, image });
      this.draw();
    });
    seen.observe(image);
    return image;
  }

  draw() {
    this.waiting = this.waiting.filter(({ link, image }) => image.isConnected && !this.failed.has(link));
    if (this.frame || !this.waiting.length) return;
    const [{ link, image }] = this.waiting;
    const address = new URL(window.attentionLabAddress(link), location.origin);
    address.searchParams.set("large", "1");
    const frame = (this.frame = Object.assign(document.createElement("iframe"), { src: address.href, inert: true, tabIndex: -1 }));
    frame.setAttribute("aria-hidden", "true");
    // The frame is as large as the window, because the server hears only one size for both.
    frame.style.cssText = `position: fixed; left: 0; top: 0; width: ${innerWidth}px; height: ${innerHeight}px; border: 0; visibility: hidden; z-index: -1`;
    document.body.append(frame);
    const next = () => {
      clearInterval(timer);
      giveUp();
      frame.remove();
      this.frame = null;
      this.draw();
    };
    const giveUp = whenDrawn(frame, () => {}, async () => {
      await keepPicture(link, frame, this.theme);
      const kept = keptPicture(link, this.theme);
      if (!kept) this.failed.add(link);
      for (const one of this.waiting) if (one.link === link && kept) one.image.src = kept;
      this.waiting = this.waiting.filter((one) => one.link !== link);
      next();
    });
    const timer = setInterval(() => image.isConnected || next(), 500);
  }
}
