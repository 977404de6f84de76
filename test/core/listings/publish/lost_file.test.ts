import type { ListingJobResult } from '../../../answers.js';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAddon } from '../../../../src/sqlite.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

/*
 * A digital listing whose first file the marketplace has lost is activated with all of its files, or not at
 * all.
 */

type File = { name: string; listing_file_id: number };
type World = { listings: { listing_id: number; state: string; files: File[] }[]; fees: unknown[] };

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

async function look() {
  const { listings, fees } = await service.control<World>('GET', '/state');
  const [listing] = listings;
  if (!listing) throw new Error('there is no listing');
  return { ...listing, fees: fees.length };
}

async function makeDraft(): Promise<number> {
  const images = [{ url: await upload(service, 'photo-04.jpg') }];
  const url = await upload(service, 'pattern.pdf', 'digital');
  const digital_files = ['front.pdf', 'back.pdf'].map((name) => ({ url, name }));
  const body = buildMug((await listTargets(service)).slice(0, 1), {
    state: 'publish',
    images,
    digital_files,
  });
  Object.assign(body.listing, { listing_type: 'digital', when_made: '2020_2026' });
  const { listing_pk = 0, results } = await service.call<ListingJobResult>('listing_create', body);
  expect(results?.[0]?.status).toBe('ok');
  return listing_pk;
}

const activate = (listing_pk: number) =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });

/** Changes content of listings directly in the marketplace's database. */
function change(sql: string, ...values: unknown[]): void {
  const database = openAddon(join(service.data_dir, 'sandbox.db'));
  database.prepare(sql).run(...values);
  database.close();
}

it('sends only the lost file again', async () => {
  const listing_pk = await makeDraft();
  const { listing_id, files } = await look();
  change('DELETE FROM listing_files WHERE listing_id = ? AND rank = 1', listing_id);
  const [failed] = (await activate(listing_pk)).results ?? [];
  expect(failed).toMatchObject({
    status: 'error',
    error:
      'The marketplace accepted "front.pdf", but no longer has it; call listing_publish to send it again',
  });
  expect((await look()).fees).toBe(0);

  const [live] = (await activate(listing_pk)).results ?? [];
  expect(live).toMatchObject({ status: 'ok', activated: true });
  const after = await look();
  expect(after.files.map(({ name }) => name)).toEqual(['front.pdf', 'back.pdf']);
  expect(after.files[1]?.listing_file_id).toBe(files[1]?.listing_file_id);
  expect([after.state, after.fees]).toEqual(['active', 1]);
});

it('recognizes its own file that was only not shown, and reports no surplus', async () => {
  const listing_pk = await makeDraft();
  const { listing_id, files } = await look();
  const [first] = files;
  change('DELETE FROM listing_files WHERE listing_id = ? AND rank = 1', listing_id);
  expect((await activate(listing_pk)).results?.[0]?.status).toBe('error');
  change('INSERT INTO listing_files VALUES (?,?,1)', listing_id, first?.listing_file_id);

  const [live] = (await activate(listing_pk)).results ?? [];
  expect(live).toMatchObject({ status: 'ok', activated: true });
  expect(live?.warnings?.filter(({ code }) => code === 'marketplace_changed')).toEqual([]);
  expect((await look()).files).toEqual(files);
});
