import type { Random } from './random.js';

/** Text that JSON.stringify never writes. */
export function spoil(text: string, random: Random): string {
  if (random.chance(0.8)) return text;
  const at = random.int(text.length + 1);
  return random.pick([
    text.slice(0, at),
    `${text.slice(0, at)}${random.pick(['1e400', '"__proto__":1,', '\u0000', '}', '[', '"', '\\ud800', ',', 'NaN'])}${text.slice(at)}`,
    text.replace(/:\s*-?\d+(\.\d+)?/, ':1e400'),
    text.replace(/:\s*-?\d+(\.\d+)?/, ':-1e400'),
    text.replace('{', '{"shops":1,'),
    text.replace('{', '{"__proto__":{"shops":[]},'),
    `\ufeff${text}`,
  ]);
}
