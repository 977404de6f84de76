import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDashboard, type TestDashboard } from '../dashboard/visitor.js';
import { CLAY, TARGETS, buildMug, upload } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/*
 * An idempotency key binds a call of listing_publish as it binds one of listing_create; without a key, each
 * call runs again.
 */

let dashboard: TestDashboard;
let key: string;
let faces: Record<'REST' | 'MCP', Face>;

beforeAll(async () => {
  dashboard = await startDashboard();
  ({ key } = await dashboard.service.app.core.accounts.createKey(dashboard.account_id, 'test'));
  faces = { REST: openRest(dashboard.url, key), MCP: await openMcpHttp(dashboard.url, key) };
});
afterAll(async () => {
  await faces.MCP.close();
  await dashboard.close();
});

const REPLAYED = [{ code: 'replayed' }];

describe.each(['REST', 'MCP'] as const)('over %s', (name) => {
  const call = async (id: string, input: Output): Promise<Output> => {
    const answer = await faces[name].call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${JSON.stringify(answer.error)}`);
    return answer.output;
  };
  const make = async (state: string): Promise<unknown> => {
    const images = [{ url: await upload(dashboard.service, 'photo-01.jpg') }];
    const mug = buildMug([TARGETS.clay], { state, images, idempotency_key: `${name}-${state}` });
    return (await call('listing_create', mug))['listing_pk'];
  };
  const getState = async (listing_pk: unknown) => {
    const { shops } = (await call('listing_get', { listing_pk })) as { shops: { state: string }[] };
    return shops[0]?.state;
  };

  it('repeating the first deactivation does not deactivate a listing that was reactivated since', async () => {
    const listing_pk = await make('active');
    const off = { listing_pk, state: 'inactive', idempotency_key: `${name}-off` };
    const on = { listing_pk, state: 'active', shops: [CLAY.shop_id], idempotency_key: `${name}-on` };
    const first = await call('listing_publish', off);
    const second = await call('listing_publish', on);
    expect([first['status'], second['status']]).toEqual(['completed', 'completed']);
    for (const [input, { job_id }] of [
      [off, first],
      [on, second],
    ] as const) {
      expect(await call('listing_publish', input)).toMatchObject({ job_id, warnings: REPLAYED });
    }
    expect(await getState(listing_pk)).toBe('active');
    const { idempotency_key: _key, ...unnamed } = off;
    expect(await call('listing_publish', unnamed)).not.toHaveProperty('job_id', first['job_id']);
    expect(await getState(listing_pk)).toBe('inactive');
    for (const other of [
      { ...off, state: 'active' },
      { ...off, idempotency_key: `${name}-active` },
    ]) {
      expect(await faces[name].call('listing_publish', other)).toMatchObject({
        ok: false,
        error: { code: 'IDEMPOTENCY_KEY_REUSED', status: 400 },
      });
    }
  });

  it('a draft is published once, and neither a dry run nor a refused call uses up the key', async () => {
    const listing_pk = await make('draft');
    const publish = { listing_pk, state: 'publish', idempotency_key: `${name}-publish` };
    expect(await call('listing_publish', { ...publish, dry_run: true })).toMatchObject({ status: 'valid' });
    const refused = await faces[name].call('listing_publish', { ...publish, shops: [7] });
    expect(refused).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });
    const { job_id } = await call('listing_publish', publish);
    expect(await call('listing_publish', publish)).toMatchObject({ job_id, warnings: REPLAYED });
  });
});

it('REST also takes the key from the header, which must not differ from the body', async () => {
  const images = [{ url: await upload(dashboard.service, 'photo-01.jpg') }];
  const made = await faces.REST.call(
    'listing_create',
    buildMug([TARGETS.clay], { state: 'draft', images, a: 1 }),
  );
  const { listing_pk } = (made as { output: Output }).output;
  const send = async (body: object) => {
    const answer = await fetch(`${dashboard.url}/api/v1/listings/${String(listing_pk)}/publish`, {
      method: 'POST',
      headers: {
        'x-service-api-key': key,
        'content-type': 'application/json',
        'idempotency-key': 'from-the-header',
      },
      body: JSON.stringify({ state: 'publish', ...body }),
    });
    return (await answer.json()) as Output;
  };
  const first = await send({});
  expect(await send({})).toMatchObject({ job_id: first['job_id'], warnings: REPLAYED });
  expect(await send({ idempotency_key: 'from-the-body' })).toMatchObject({
    error: { code: 'VALIDATION_FAILED', message: expect.stringContaining('Idempotency-Key header') },
  });
});
