import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openAddon } from '../src/sqlite.js';
import { buildMug, CLAY, startService, TARGETS, type TestService } from './service.js';

const findFolderName = ({ data_dir }: TestService): unknown => {
  const db = openAddon(join(data_dir, 'sandbox.db'), { readonly: true });
  const row = db.prepare("SELECT value FROM meta WHERE name = 'folder'").get();
  db.close();
  return row;
};

it('services of one process have separate shops and marketplaces', async () => {
  const services = [await startService(), await startService()] as const;
  onTestFinished(async () => {
    for (const service of services) await service.close();
  });
  const [one, other] = services;
  await one.call('listing_create', buildMug([TARGETS.clay], { state: 'publish' }));
  const counts = await Promise.all(
    services.map(async (service) => {
      const input = { shop_id: CLAY.shop_id, state: 'draft' };
      return (await service.call<{ total: number }>('store_listings', input)).total;
    }),
  );
  expect(counts).toEqual([1, 0]);
  expect(findFolderName(one)).toEqual({ value: expect.any(String) });
  expect(findFolderName(one)).not.toEqual(findFolderName(other));
});
