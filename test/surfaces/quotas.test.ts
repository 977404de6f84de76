import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDashboard, toText, type TestDashboard } from '../dashboard/visitor.js';
import { buildMug, fixturePath, TARGETS } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

let dashboard: TestDashboard;
let faces: { rest: Face; mcp: Face };
beforeAll(async () => {
  dashboard = await startDashboard(
    {},
    { limits: { drafts: 3, draft_bytes: 1_000_000, upload_bytes: 1_000_000 } },
  );
  const { accounts } = dashboard.service.app.core;
  const { key } = await accounts.createKey(dashboard.account_id, 'test');
  faces = { rest: openRest(dashboard.url, key), mcp: await openMcpHttp(dashboard.url, key) };
});
afterAll(async () => {
  await faces.mcp.close();
  await dashboard.close();
});

const build = (n: number, more: Output = {}): Output => {
  const { listing, ...mug } = buildMug([TARGETS.clay]);
  return { ...mug, listing: { ...listing, title: `Mug ${n}`, ...more } };
};
/** More than half of the room. Unknown fields are saved too, and no text may be much longer. */
const large = (n: number) => {
  const note = `${n} ${'words and more of them '.repeat(9_000)}`;
  return build(n, { note_1: note, note_2: note, note_3: note });
};
const seeRoom = async () => toText((await (await dashboard.signIn()).get('/dashboard/settings')).text);

it('an account has at most its quota of drafts, on any face and with any number of calls at once', async () => {
  const all = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) => (n % 2 ? faces.rest : faces.mcp).call('listing_create', build(n))),
  );
  const saved = all.flatMap((answer) => (answer.ok ? [answer.output] : []));
  const refused = all.flatMap((answer) => (answer.ok ? [] : [answer.error]));
  expect(saved.map(({ status }) => status)).toEqual(['draft', 'draft', 'draft']);
  for (const error of refused) {
    expect(error).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      status: 400,
      message: 'The account has 3 saved drafts, which is the maximum.',
    });
    expect(error.hint).toContain('listing_delete');
  }
  expect(await seeRoom()).toContain('Saved drafts 3 of 3');

  // Existing drafts can still be read, and deleting one makes room.
  const known = [1, 2, 3, 4, 5, 6].find((_n, index) => all[index]?.ok === true) ?? 0;
  expect(await faces.rest.call('listing_create', build(known))).toMatchObject({ ok: true });
  const [first, second] = saved;
  await faces.rest.call('listing_delete', { listing_pk: first?.['listing_pk'] });
  await faces.rest.call('listing_publish', { listing_pk: second?.['listing_pk'], state: 'publish' });
  expect(await seeRoom()).toContain('Saved drafts 1 of 3');
  expect(await faces.mcp.call('listing_create', build(7))).toMatchObject({ ok: true });
  expect(await faces.mcp.call('listing_create', build(8))).toMatchObject({ ok: true });
});

it('an account has at most its quota of bytes in drafts', async () => {
  const { items } = await dashboard.service.app.store.listings.listListings(dashboard.account_id, {
    status: 'draft',
    limit: 10,
    offset: 0,
  });
  for (const { listing_pk } of items) await faces.rest.call('listing_delete', { listing_pk });
  expect(await faces.rest.call('listing_create', large(1))).toMatchObject({ ok: true });
  for (const face of Object.values(faces)) {
    expect(await face.call('listing_create', large(2))).toMatchObject({
      error: {
        code: 'QUOTA_EXCEEDED',
        message: "With this draft, the account's saved drafts would exceed 1 MB.",
      },
    });
  }
  expect(await seeRoom()).toMatch(/Text of the drafts \d+ kB of 1\.0 MB/);
});

it('an account has at most its quota of bytes in uploads, and a refused upload leaves nothing behind', async () => {
  const file = (await readFile(fixturePath('mug-front.jpg'))).toString('base64');
  const upload = (face: Face) => face.call('file_upload', { type: 'image', file, filename: 'mug.jpg' });
  let kept = 0;
  for (let answer = await upload(faces.rest); answer.ok; answer = await upload(faces.mcp)) kept += 1;
  expect(kept).toBeGreaterThan(0);
  const all = await Promise.all([upload(faces.rest), upload(faces.mcp), upload(faces.rest)]);
  for (const answer of all) {
    expect(answer).toMatchObject({
      error: {
        code: 'QUOTA_EXCEEDED',
        status: 400,
        message: "file: would bring the account's uploads over 1 MB",
      },
    });
  }
  const { total } = await dashboard.service.app.core.uploads.list(dashboard.account_id, {
    limit: 1,
    offset: 0,
  });
  expect(total).toBe(kept);
  const other = (await readFile(fixturePath('mug-side.jpg'))).toString('base64');
  const refused = await faces.rest.call('file_upload', { type: 'image', file: other, filename: 'a.jpg' });
  expect(refused).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } });
  const folders = ['blobs', 'staging'].map((name) => join(dashboard.service.data_dir, name));
  const kept_files = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })));
  expect(kept_files.map((names) => names.filter((name) => name.length > 10).length)).toEqual([1, 0]);
  expect(await seeRoom()).toMatch(/Photos, videos and files \d+ kB of 1\.0 MB/);
  const metrics = await (await fetch(`${dashboard.url}/metrics`)).text();
  expect(metrics).toContain('\nlisting_service_drafts 1\n');
  expect(metrics).toMatch(/\nlisting_service_draft_bytes \d{6}\n/);
});
