import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/operations/operation.js';
import { operations } from '../../tools/index.js';
import { startService, type TestService } from '../service.js';

/*
 * The examples of all operations, run one after another against the sandbox as a newcomer would: later
 * examples take their ids from earlier answers.
 */

let service: TestService;
const answers = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_HTTP: 'off' });
});
afterAll(() => service.close());

function fillIn({ input, taken = {} }: Operation['examples'][number]): unknown {
  let text = JSON.stringify(input);
  for (const { value, from, field } of Object.values(taken)) {
    text = text.replaceAll(value, String(answers.get(from)?.[field]));
  }
  return JSON.parse(text);
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it.each(operation.examples.map((example) => [example.summary, example] as const))(
    '%s',
    async (_summary, example) => {
      const outcome = await service.invoke(id, fillIn(example), { face: 'rest' });
      if (!outcome.ok) throw new Error(outcome.error.error.message);
      if (!answers.has(id)) answers.set(id, outcome.output as Record<string, unknown>);
      expect(operation.output.parse(outcome.output)).toEqual(outcome.output);
      expect(outcome.status).toBe(operation.status?.(example.output) ?? 200);
      expect(listMissing(example.output, outcome.output)).toEqual([]);
    },
  );
});

/**
 * Keys that an example shows and the real answer lacks; without a receiver, webhook calls answer other values
 * but the same keys.
 */
function listMissing(shown: unknown, real: unknown, path = ''): string[] {
  if (Array.isArray(shown)) {
    return Array.isArray(real) ? shown.flatMap((item) => listMissing(item, real[0], `${path}[]`)) : [path];
  }
  if (typeof shown !== 'object' || shown === null) return [];
  if (typeof real !== 'object' || real === null) return [path];
  return Object.entries(shown).flatMap(([key, value]) =>
    key in real
      ? listMissing(value, (real as Record<string, unknown>)[key], `${path}.${key}`)
      : [`${path}.${key}`],
  );
}
