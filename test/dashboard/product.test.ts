import { describe, expect, it } from 'vitest';
import { toMakingWords } from '../../src/dashboard/words/when_made.js';

describe('when it was made', () => {
  it.each([
    ['made_to_order', 'to order'],
    ['2020_2026', '2020 to 2026'],
    ['before_2007', 'before 2007'],
    ['before_1700', 'before 1700'],
    ['1990s', 'in the 1990s'],
  ])('%s is told as %s', (when_made, words) => {
    expect(toMakingWords(when_made)).toBe(words);
  });
});
