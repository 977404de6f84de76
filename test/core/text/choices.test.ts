import { describe, expect, it } from 'vitest';
import { formatChoices, formatValues } from '../../../src/core/text/choices.js';

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `Shop ${at + 1}` }));

describe('what can be chosen', () => {
  it('is told with its names, ten at most, and how many more there are', () => {
    expect(formatChoices(many(2))).toBe('1 ("Shop 1"), 2 ("Shop 2")');
    expect(formatChoices(many(10))).toMatch(/, 10 \("Shop 10"\)$/);
    expect(formatChoices(many(41))).toMatch(/, 10 \("Shop 10"\) and 31 more$/);
    expect(formatChoices(many(10), 41)).toBe(formatChoices(many(41)));
  });
  it('may be nothing, and may have no name', () => {
    expect(formatChoices([])).toBe('none');
    expect(formatChoices([{ id: 5 }, { id: 6, name: '' }])).toBe('5, 6');
  });
  it('may be known by name alone: in quotation marks, since it may hold spaces and commas', () => {
    expect(formatChoices([{ id: null, name: 'Sea green' }])).toBe('"Sea green"');
    expect(formatValues(['Sea green', 'Red, matt'])).toBe('"Sea green", "Red, matt"');
    expect(formatValues([undefined, 'S'])).toBe('"S"');
    expect(formatValues([undefined])).toBeUndefined();
  });
  it('has foreign names cleaned and cut', () => {
    const [choice] = formatChoices([{ id: 1, name: `a\n\u202e${'b'.repeat(200)}` }]).split('\n');
    expect(choice).toMatch(/^1 \("a b{78}…"\)$/);
  });
});
