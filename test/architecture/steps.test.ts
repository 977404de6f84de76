import { expect, it } from 'vitest';
import { CHANGES, PIPELINE } from '../../src/core/listings/steps/table.js';
import { STEPS } from '../../src/core/ports/listing/progress.js';
import { toStepWords } from '../../src/dashboard/pages/listing/course/steps.js';

const names = [...PIPELINE, ...CHANGES].map(({ name }) => name);

it.each(STEPS)('publishing has a row for %s', (name) => {
  expect(PIPELINE.map((step) => step.name)).toContain(name);
});

it('publishing reads the listing back after all other steps but the activation', () => {
  const verify = PIPELINE.find(({ name }) => name === 'verify');
  const others = PIPELINE.map(({ name }) => name).filter((name) => name !== 'verify' && name !== 'activate');
  expect(verify?.needs).toEqual(others);
});

it.each([...new Set([...names, 'decide', 'read_back'])])('%s has words for sellers', (name) => {
  expect(toStepWords(name).done).not.toBe(name.replaceAll('_', ' '));
});
