import { describe, expect, it } from 'vitest';
import { buildWorst, MOST_CHARS, readExpressions, readList, run, toExpression } from './read_expressions.mjs';

/*
 * A regular expression can take minutes with a text that was made for it. Each one of the product is listed with its worst input and,
 * where it is not quick with a whole body, with the bound of what it is given. `node test/architecture/expressions/accept.mjs`
 * adds a new one.
 */

const list = readList();

describe('the regular expressions of the product', () => {
  it('are all listed with their worst input', () => {
    expect(Object.keys(list).sort()).toEqual(readExpressions());
  });

  it('come with a reason where they are given less than a whole body', () => {
    const bounded = Object.values(list).filter(({ most }) => most !== undefined);
    expect(bounded.filter(({ because = '' }) => because === '')).toEqual([]);
  });

  it('finish with their worst input at its bound', { timeout: 120_000 }, () => {
    let finished = 0;
    for (const [text, { worst, most = MOST_CHARS }] of Object.entries(list)) {
      const expression = toExpression(text);
      if (expression && worst) run(expression, buildWorst(worst, most));
      finished += 1;
    }
    expect(finished).toBe(Object.keys(list).length);
  });
});
