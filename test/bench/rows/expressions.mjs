import {
  buildWorst,
  MOST_CHARS,
  readList,
  run,
  toExpression,
} from '../../architecture/expressions/read_expressions.mjs';
import { alternate } from '../harness/numbers.mjs';

/*
 * Every regular expression of the product, one after another, on its worst input at its maximum length;
 * compared with one pass over the same texts that looks for a character none of them has.
 */

const ROUNDS = 11;

export async function measure() {
  const cases = Object.entries(readList()).flatMap(([text, { worst, most = MOST_CHARS }]) => {
    const expression = toExpression(text);
    return expression && worst ? [{ expression, input: buildWorst(worst, most) }] : [];
  });
  const toRun = (work) => async () => {
    const before = process.cpuUsage();
    for (const one of cases) work(one);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const rates = await alternate(ROUNDS, {
    ours: toRun(({ expression, input }) => run(expression, input)),
    reference: toRun(({ input }) => input.includes('\u{10FFFF}')),
  });
  return [
    {
      what: `${cases.length} regular expressions, each with its worst input`,
      against: 'the texts read once',
      unit: 'ms CPU',
      ...rates,
    },
  ];
}
