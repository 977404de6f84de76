import { describe, expect, it } from 'vitest';
import { formatChoices, formatValues } from '../../../src/core/text/choices.js';

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `Shop ${at + 1}` }));

describe('a list of choices', () => {
  it('names up to ten, and how many more there are', () => {
    expect(formatChoices(many(2))).toBe('1 ("Shop 1"), 2 ("Shop 2")');
    expect(formatChoices(many(10))).toMatch(/, 10 \("Shop 10"\)$/);
    expect(formatChoices(many(41))).toMatch(/, 10 \("Shop 10"\) and 31 more$/);
    expect(formatChoices(many(10), 41)).toBe(formatChoices(many(41)));
  });
  it('may be empty, and may have entries without a name', () => {
    expect(formatChoices([])).toBe('none');
    expect(formatChoices([{ id: 5 }, { id: 6, name: '' }])).toBe('5, 6');
  });
  it('may consist of names only, in quotation marks because they may contain spaces and commas', () => {
    expect(formatChoices([{ id: null, name: 'Sea green' }])).toBe('"Sea green"');
    expect(formatValues(['Sea green', 'Red, matt'])).toBe('"Sea green", "Red, matt"');
    expect(formatValues([undefined, 'S'])).toBe('"S"');
    expect(formatValues([undefined])).toBeUndefined();
  });
  it('cleans and truncates names from others', () => {
    const [choice] = formatChoices([{ id: 1, name: `a\n\u202e${'b'.repeat(200)}` }]).split('\n');
    expect(choice).toMatch(/^1 \("a b{78}…"\)$/);
  });
});
