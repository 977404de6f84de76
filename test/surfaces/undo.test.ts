import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { edit, readListings, makeListing } from '../core/listings/update/rig.js';
import { startService, type TestService } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/* A change of a live listing: refused after a manual edit, and undone. */

let service: TestService;
let http: HttpFace;
let url: string;
let key: string;

beforeAll(async () => {
  service = await startService();
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ key } = await service.app.core.accounts.createKey(account_id, 'test'));
  http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  url = `http://127.0.0.1:${http.port}`;
});
afterAll(async () => {
  await http.close(1_000);
  await service.close();
});

const FACES: Record<string, () => Promise<Face>> = {
  REST: () => Promise.resolve(openRest(url, key)),
  'MCP over HTTP': () => openMcpHttp(url, key),
};

describe.each(Object.keys(FACES))('over %s', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as () => Promise<Face>)();
  });
  afterAll(() => face.close());

  async function ask(id: string, input: Output): Promise<Output> {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${answer.error.code} ${answer.error.message}`);
    return answer.output;
  }

  it('a listing is changed and restored, and the jobs and the history show both', async () => {
    const made = await makeListing(service);
    const { listing_pk } = made;
    expect(await face.call('listing_undo', { listing_pk })).toMatchObject({
      ok: false,
      error: { code: 'NOTHING_TO_UNDO', status: 400 },
    });
    const changed = await ask('listing_update', {
      listing_pk,
      changes: { listing: { title: 'Stoneware cup' } },
    });
    const diff = [{ field: 'listing.title', before: 'Stoneware mug', after: 'Stoneware cup' }];
    expect(changed).toMatchObject({
      results: [
        { status: 'ok', diff },
        { status: 'ok', diff },
      ],
    });
    const shown = await ask('listing_undo', { listing_pk, dry_run: true });
    const back = [{ field: 'listing.title', before: 'Stoneware cup', after: 'Stoneware mug' }];
    expect(shown).toMatchObject({ status: 'valid', shops: [{ diff: back }, { diff: back }], cost_usd: 0 });
    const undone = await ask('listing_undo', { listing_pk, job_id: changed['job_id'] });
    expect(undone).toMatchObject({ status: 'completed', results: [{ diff: back }, { diff: back }] });
    expect((await readListings(service, made)).map((there) => there?.fields.title)).toEqual([
      'Stoneware mug',
      'Stoneware mug',
    ]);
    const answered = await ask('listing_create_status', { job_id: undone['job_id'] });
    expect(answered['results']).toEqual(undone['results']);
    const { history } = (await ask('listing_get', { listing_pk, history: true })) as {
      history: { jobs: { kind: string; state: string | null }[] };
    };
    expect(history.jobs.map(({ kind, state }) => [kind, state])).toEqual([
      ['publish', 'active'],
      ['update', null],
      ['undo', null],
    ]);
  });

  it('an undo with on_drift skip restores only fields that nobody edited since', async () => {
    const made = await makeListing(service);
    const { listing_pk } = made;
    const changes = { listing: { title: 'Stoneware cup', tags: ['cup'] } };
    await ask('listing_update', { listing_pk, changes });
    await edit(service, made, { title: 'By hand' });
    const refused = await ask('listing_undo', { listing_pk });
    expect(refused).toMatchObject({
      results: [{ details: { code: 'DRIFT' } }, { details: { code: 'DRIFT' } }],
    });
    const undone = await ask('listing_undo', { listing_pk, on_drift: 'skip' });
    const skipped = { status: 'ok', diff: [{ field: 'listing.tags' }] };
    expect(undone).toMatchObject({ results: [skipped, skipped] });
    expect((await readListings(service, made)).map((there) => there?.fields.title)).toEqual([
      'By hand',
      'By hand',
    ]);
  });
});
