import { describe, expect, it } from 'vitest';
import { buildWorst, MOST_CHARS, readExpressions, readList, run, toExpression } from './read_expressions.mjs';

/*
 * A regular expression can take minutes on a text crafted for it. Every one in the product is listed with its
 * worst input and, if it is slow on a whole body, with the maximum length of its input. `node
 * test/architecture/expressions/accept.mjs` adds a new one.
 */

const list = readList();

describe("the product's regular expressions", () => {
  it('are all listed with their worst input', () => {
    expect(Object.keys(list).sort()).toEqual(readExpressions());
  });

  it('have a reason if their input is limited to less than a whole body', () => {
    const bounded = Object.values(list).filter(({ most }) => most !== undefined);
    expect(bounded.filter(({ because = '' }) => because === '')).toEqual([]);
  });

  it('finish on their worst input at its maximum length', { timeout: 120_000 }, () => {
    let finished = 0;
    for (const [text, { worst, most = MOST_CHARS }] of Object.entries(list)) {
      const expression = toExpression(text);
      if (expression && worst) run(expression, buildWorst(worst, most));
      finished += 1;
    }
    expect(finished).toBe(Object.keys(list).length);
  });
});
