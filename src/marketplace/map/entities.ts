const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi;

/**
 * Decodes entities in the text of answers: once, so that an entity that the seller wrote comes out unchanged.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    return toCharacter(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? entity;
  });
}

/** Undefined for a number that is not a character: NUL, a lone surrogate, beyond the end of Unicode. */
function toCharacter(code_point: number): string | undefined {
  const isHalf = code_point >= 0xd800 && code_point <= 0xdfff;
  return code_point === 0 || isHalf || code_point > 0x10ffff ? undefined : String.fromCodePoint(code_point);
}
