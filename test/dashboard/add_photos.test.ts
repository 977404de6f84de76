import type { ListingJobResult } from '../answers.js';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, fixturePath, listTargets } from '../service.js';
import { startDashboard, type TestDashboard } from './visitor.js';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

it.each([
  ['a draft', 'draft', ['phone.heic', 'large.heic', 'phone.avif', 'phone.webp']],
  ['a listing in shops', 'publish', ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg', 'photo-04.jpg']],
])(
  'each of several photos uploaded at the same time is added to %s',
  async (_name, state, names) => {
    const { service } = dashboard;
    const { listing_pk } = await service.call<ListingJobResult>(
      'listing_create',
      buildMug(await listTargets(service), { state, idempotency_key: state }),
    );
    const visitor = await dashboard.signIn();
    const path = `/dashboard/listings/${listing_pk}/add-photos`;
    await visitor.get(path);
    const statuses = await Promise.all(
      names.map(async (name) => {
        const form = new FormData();
        form.set('csrf_token', visitor.getToken());
        form.set('file', new Blob([await readFile(fixturePath(name))]), name);
        return (await visitor.postForm(path, form)).status;
      }),
    );
    expect(statuses).toEqual(names.map(() => 303));
    const { request } = await service.call<{ request: { images?: { url: string }[] } }>('listing_get', {
      listing_pk,
    });
    const urls = (request.images ?? []).map(({ url }) => url);
    expect(new Set(urls).size).toBe(names.length);
  },
  20_000,
);
