import { describe, expect, it } from 'vitest';
import { foldCase } from '../../../src/core/text/fold_case.js';
import { normalize } from '../../../src/core/text/normalize.js';
import { foldForSearch } from '../../../src/core/text/search_words.js';

describe('normalize', () => {
  it.each([
    ['e\u0301', 'NFC', '\u00e9'],
    ['\uff21', 'NFKC', 'A'],
    ['\u00e9', 'NFKD', 'e\u0301'],
    [`a${'\u0315\u0316'.repeat(15)}`, 'NFC', `a${'\u0316'.repeat(15)}${'\u0315'.repeat(15)}`],
  ] as const)('turns %j in %s into %j', (text, form, expected) => {
    expect(normalize(text, form)).toBe(expected);
  });

  it.each(['\u0315\u0316', '\uff9e\u0301'])(
    'leaves a text unchanged in which the marks %j repeat endlessly',
    (marks) => {
      const stacked = `a${marks.repeat(100_000)}`;
      for (const form of ['NFC', 'NFKC', 'NFKD'] as const) expect(normalize(stacked, form)).toBe(stacked);
      expect(foldCase(stacked)).toHaveLength(stacked.length);
      expect(foldForSearch(stacked)).toHaveLength(stacked.length);
    },
  );
});
