/*
 * Loaded into a server before anything else: there it is LATER_MS later than elsewhere.
 */
const later_ms = Number(process.env.LATER_MS);
const Now = Date;

globalThis.Date = class extends Now {
  constructor(...given) {
    super(...(given.length === 0 ? [Now.now() + later_ms] : given));
  }
  static now() {
    return Now.now() + later_ms;
  }
};
