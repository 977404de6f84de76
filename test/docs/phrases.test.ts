import { expect, it } from 'vitest';
import { NEVER, readProse } from './phrases.mjs';

it('finds no phrase in comments and documents that is never right', () => {
  const found = [...readProse()].flatMap(({ file, prose }) =>
    NEVER.flatMap((pattern) => prose.match(pattern) ?? []).map((phrase) => `${file}: ${phrase}`),
  );
  expect(found).toEqual([]);
});
