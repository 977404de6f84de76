const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Titles and descriptions come back with HTML entities; the same encoding makes text safe in our pages. */
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

/** The wire's times are whole seconds. */
export function toSeconds(at_ms: number): number {
  return Math.floor(at_ms / 1000);
}

export type Money = { amount: number; divisor: number; currency_code: string };

/** `amount` is in hundredths: the seeded shops use no currency without them. */
export function toMoney(amount: number, currency_code: string): Money {
  return { amount, divisor: 100, currency_code };
}
