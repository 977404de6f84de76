import type { ImportJobResult } from '../../../answers.js';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../../crash/server.js';
import { CLAY, startService } from '../../../service.js';
import { buildEnvironment } from '../../../surfaces/faces.js';
import { IS_WHOLE } from '../../../whole.js';

/* An import that is killed halfway duplicates nothing and loses nothing. */

/** The least number of the three listings that are saved at each point. Each has three photos. */
const POINTS = [
  ['after store.uploads.createUpload:6', 0],
  ['before store.listings.saveImport:2', 0],
  ['after store.listings.saveImport:2', 2],
  ['before store.listings.finishJob', 3],
] as const;

/* npm test tries only the points at which something was saved. */
it.each(IS_WHOLE ? POINTS : POINTS.slice(2))(
  'resumes an import killed %s',
  { timeout: 60_000 },
  async (point, least) => {
    const first = await startService();
    const { data_dir } = first;
    await first.call('stores_list');
    const { listing_ids } = await first.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id: CLAY.shop_id,
      count: 3,
    });
    const { account_id } = await first.app.core.accounts.getDefault();
    const { key } = await first.app.core.accounts.createKey(account_id, 'test');
    await first.close({ keep: true });
    const input = { shop_id: CLAY.shop_id, listing_ids };

    const environment = { ...buildEnvironment(data_dir, { MARKETPLACE: 'sandbox' }), DATA_DIR: data_dir };
    const server = createServer({ environment });
    onTestFinished(() => server.close());
    const life = server.start({ CRASH_AT: point });
    const answer = fetch(`${await life.url}/api/v1/listings/import`, {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    await expect(answer).rejects.toThrow('fetch failed');
    expect(await life.ended).toMatchObject({ signal: 'SIGKILL' });

    const second = await startService({}, { data_dir });
    const { total: saved } = await second.call<{ total: number }>('listings_list');
    expect(saved).toBeGreaterThanOrEqual(least);
    expect((await second.app.store.listings.listClaimableJobs()).length).toBe(1);
    const imported = await second.call<ImportJobResult>('listing_import', input);
    expect(imported).toMatchObject({ status: 'completed' });
    // Each was imported once: listings saved before the kill are reported as at that time.
    expect(imported.results.map(({ listing_id, status }) => ({ listing_id, status }))).toEqual(
      listing_ids.map((listing_id) => ({ listing_id, status: 'imported' })),
    );
    expect(new Set(imported.results.map(({ listing_pk }) => listing_pk)).size).toBe(3);
    expect((await second.call<{ total: number }>('listings_list')).total).toBe(3);
    const uploads = await second.app.core.uploads.list(account_id, { limit: 50, offset: 0 });
    expect(uploads.total).toBe(9);
    for (const { url } of uploads.items) {
      expect(await second.app.core.uploads.findByUrl(account_id, url)).toBeDefined();
    }
    await second.close();
  },
);
