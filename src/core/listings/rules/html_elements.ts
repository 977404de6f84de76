/**
 * The elements of the HTML standard, including the obsolete ones of its chapter 16, and the two that embed other
 * languages.
 */
const ELEMENTS: ReadonlySet<string> = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption
  figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins isindex kbd keygen
  label legend li link main map mark marquee math menu meta meter multicol nav nextid nobr noembed noframes noscript object ol
  optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small
  source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track
  tt u ul var video wbr xmp`.split(/\s+/),
);

/** Elements that have no end tag, or may omit it. */
const END_OPTIONAL: ReadonlySet<string> = new Set(
  `area base basefont bgsound body br caption col colgroup dd dt embed frame head hr html img input isindex keygen li link meta
  nextid optgroup option p param rb rp rt rtc source spacer tbody td tfoot th thead tr track wbr`.split(
    /\s+/,
  ),
);

/** Elements that a browser shows on their own lines. */
const BREAKS: ReadonlySet<string> = new Set(['p', 'div', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr']);

/** `name` in lower case, here and below. */
export function isElement(name: string): boolean {
  return ELEMENTS.has(name);
}

export function isEndOptional(name: string): boolean {
  return END_OPTIONAL.has(name);
}

export function isBreak(name: string): boolean {
  return BREAKS.has(name);
}
