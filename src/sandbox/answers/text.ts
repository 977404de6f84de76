const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Encodes characters as HTML entities, as the marketplace does in titles and descriptions. The sandbox's own
 * pages escape text with it too.
 */
export function encodeEntities(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** The last part of a listing's address. */
export function toSlug(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? ['listing']).slice(0, 10).join('-');
}

/** Times in answers are whole seconds since 1970. */
export function toSeconds(at_ms: number): number {
  return Math.floor(at_ms / 1000);
}

type Money = { amount: number; divisor: number; currency_code: string };

/** `amount` is in hundredths; every currency of the seeded shops has them. */
export function toMoney(amount: number, currency_code: string): Money {
  return { amount, divisor: 100, currency_code };
}
