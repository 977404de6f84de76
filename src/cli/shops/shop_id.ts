/** Throws an Error for what is no id of a shop. */
export function parseShopId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Error(`A shop_id is a number such as 48213377, not "${text.slice(0, 50)}".`);
}
