/** `1 character`, `2 characters`; for nouns whose plural only adds an s. */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `5,000` */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}
