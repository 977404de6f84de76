import { describe, expect, it } from 'vitest';
import { keepLast } from '../../src/core/keep_last.js';

describe('what is kept of the last time', () => {
  it('is answered again for the same input, and made anew for another', () => {
    const asked: number[] = [];
    const double = keepLast((input: number) => {
      asked.push(input);
      return input * 2;
    });
    expect([0, 0, 2, 2, 0].map(double)).toEqual([0, 0, 4, 4, 0]);
    expect(asked).toEqual([0, 2, 0]);
  });

  it('is nothing when the work failed', () => {
    const texts = ['', 'a'];
    const take = keepLast((_name: string) => {
      const text = texts.shift();
      if (!text) throw new Error('nothing there');
      return text;
    });
    expect(() => take('x')).toThrow('nothing there');
    expect(take('x')).toBe('a');
  });
});
