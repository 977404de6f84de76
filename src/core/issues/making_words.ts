/** The marketplace's period of making, in words: `2020 to 2026`, `before 2007`, `in the 1990s`, `to order`. */
export function toMakingWords(when_made: string): string {
  const [, from, to] = /^(\d{4})_(\d{4})$/.exec(when_made) ?? [];
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  if (when_made === 'made_to_order') return 'to order';
  return /^\d{4}s$/.test(when_made) ? `in the ${when_made}` : when_made.replaceAll('_', ' ');
}
