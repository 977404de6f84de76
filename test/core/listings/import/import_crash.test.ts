import { expect, it } from 'vitest';
import type { ImportJobResult } from '../../../../schemas/import.js';
import { CLAY, startService } from '../../../service.js';
import { buildEnvironment, runCli } from '../../../surfaces/faces.js';
import { IS_WHOLE } from '../../../whole.js';

/* Killed in the middle of an import, nothing is doubled and nothing lost. */

/** With how many of the three are saved by then, at least. */
const POINTS = [
  ['import.media_taken:2', 0],
  ['import.before_commit:2', 0],
  ['import.after_commit:2', 2],
  ['job.before_finish', 3],
] as const;

/* Of the four points, npm test looks at those where something was saved. */
it.each(IS_WHOLE ? POINTS : POINTS.slice(2))(
  'killed at %s, an import goes on where it was',
  { timeout: 60_000 },
  async (fail_point, least) => {
    const first = await startService();
    const { data_dir } = first;
    await first.call('stores_list');
    const { listing_ids } = await first.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id: CLAY.shop_id,
      count: 3,
    });
    await first.close({ keep: true });
    const input = { shop_id: CLAY.shop_id, listing_ids };

    const environment = buildEnvironment(data_dir, { FAIL_POINT: fail_point, MARKETPLACE: 'sandbox' });
    const killed = await runCli(['call', 'listing_import', JSON.stringify(input), '--yes'], environment);
    expect(killed.code).not.toBe(0);
    expect(killed.stdout).toBe('');

    const second = await startService({}, { data_dir });
    const { total: saved } = await second.call<{ total: number }>('listings_list');
    expect(saved).toBeGreaterThanOrEqual(least);
    expect((await second.app.store.listings.listClaimableJobs()).length).toBe(1);
    const answer = await second.call<ImportJobResult>('listing_import', input);
    expect(answer).toMatchObject({ status: 'completed' });
    // Each was taken over once: what was saved before the end is told as it was then.
    expect(answer.results.map(({ listing_id, status }) => ({ listing_id, status }))).toEqual(
      listing_ids.map((listing_id) => ({ listing_id, status: 'imported' })),
    );
    expect(new Set(answer.results.map(({ listing_pk }) => listing_pk)).size).toBe(3);
    expect((await second.call<{ total: number }>('listings_list')).total).toBe(3);
    const { account_id } = await second.app.core.accounts.getDefault();
    const uploads = await second.app.core.uploads.list(account_id, { limit: 50, offset: 0 });
    expect(uploads.total).toBe(9);
    for (const { url } of uploads.items) {
      expect(await second.app.core.uploads.findByUrl(account_id, url)).toBeDefined();
    }
    await second.close();
  },
);
