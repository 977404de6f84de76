import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { ServiceError } from '../../../src/core/errors.js';
import { defineOperation, type Operation } from '../../../src/core/operations/operation.js';
import { startService, type TestService } from '../../service.js';
import { openSample } from '../../transports/sample.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

function define(run: Operation['run']): Operation {
  return defineOperation({
    id: 'item_get',
    route: { method: 'GET', path: '/items/{item_id}' },
    effect: 'read',
    reach: 'service',
    auth: 'key',
    tag: 'Stores',
    title: 'Get',
    description: 'Gets.',
    input: z.object({ item_id: z.number() }),
    output: z.object({ item_id: z.number() }),
    errors: ['STORE_NOT_FOUND'],
    examples: [],
    run,
  });
}

async function ask(operation: Operation, value: unknown) {
  const { account_id } = await service.app.core.accounts.getDefault();
  const call = { caller: { account_id, credential: 'local', credential_id: 'test' }, face: 'cli' } as const;
  return service.app.service.invoke(operation, { value }, call);
}

const fail = (error: Error): never => {
  throw error;
};

const runWith = (run: Operation['run'], value: unknown = { item_id: 1 }) => ask(define(run), value);

describe('an operation', () => {
  it('returns its output, without undeclared fields', async () => {
    const outcome = await runWith(async () => ({ item_id: 1, secret: 'x' }));
    expect(outcome).toMatchObject({ ok: true, status: 200, limits: { limit_day: 10_000_000 } });
    expect(outcome).toHaveProperty('output', { item_id: 1 });
  });

  it('fails with the error it throws, and returns the remaining limits', async () => {
    const outcome = await runWith(() =>
      fail(new ServiceError('STORE_NOT_FOUND', { code: 'shop_not_found', params: { connected: [] } })),
    );
    expect(outcome).toMatchObject({
      ok: false,
      error: { error: { code: 'STORE_NOT_FOUND', message: 'There is no such shop.' } },
      limits: { limit_day: 10_000_000 },
    });
  });

  it.each([
    ['logs no failure when the caller has gone', (reason: unknown) => reason, false],
    ['logs its own failure although the caller has gone', () => new TypeError('ours'), true],
  ])('%s', async (_title, choose, isLogged) => {
    const { service: sample, account_id, log } = await openSample();
    const caller = { account_id, credential: 'key', credential_id: 'test' } as const;
    const signal = AbortSignal.abort(new Error('The client disconnected.'));
    const operation = define((_core, _input, call) => fail(choose(call.signal?.reason) as Error));
    const outcome = await sample.invoke(
      operation,
      { value: { item_id: 1 } },
      { caller, face: 'mcp_http', signal },
    );
    expect(outcome).toMatchObject({ ok: false, error: { error: { code: 'INTERNAL' } } });
    expect(log.some((line) => line.includes('operation failed'))).toBe(isLogged);
  });

  it('reveals nothing about an unexpected failure', async () => {
    for (const run of [() => fail(new Error('the secret')), async () => ({ item_id: 'the secret' })]) {
      const outcome = await runWith(run);
      expect(outcome).toMatchObject({ ok: false, error: { error: { code: 'INTERNAL', status: 500 } } });
      expect(JSON.stringify(outcome)).not.toContain('the secret');
    }
  });

  it('does not run with invalid input', async () => {
    const outcome = await runWith(() => fail(new Error('it ran')), { item_id: 'one' });
    expect(outcome).toMatchObject({ ok: false, error: { error: { code: 'VALIDATION_FAILED' } } });
  });
});
