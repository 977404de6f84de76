import type { ListingJobResult } from '../../../answers.js';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openAddon } from '../../../../src/sqlite.js';
import { systemClock } from '../../../../src/world/clock.js';
import { buildMug, listTargets, startService, upload } from '../../../service.js';
import { watchPorts } from '../../../wrapped/ports.js';

/** Longer than a claim. */
const HELD_UP_MS = 60_000;

type World = { calls: Record<string, number> };

it('sends no photo once it was held up past its claim, because another process may have sent it', async () => {
  const prepared = await startService();
  const { data_dir } = prepared;
  const [target] = await listTargets(prepared);
  const photos = [await upload(prepared, 'photo-01.jpg'), await upload(prepared, 'photo-02.jpg')];
  await prepared.close({ keep: true });

  let ahead_ms = 0;
  const service = await startService(
    {},
    {
      data_dir,
      clock: { ...systemClock, monotonic: () => systemClock.monotonic() + ahead_ms },
      wrapPorts: (ports) =>
        watchPorts(ports, (side, call) => {
          if (side !== 'before' || call !== 'marketplace.uploadImage' || ahead_ms > 0) return;
          ahead_ms = HELD_UP_MS;
          giveAway(data_dir);
        }),
    },
  );
  onTestFinished(() => service.close());
  const images = photos.map((url) => ({ url }));
  const body = buildMug([target as object], { state: 'publish', images });
  await service.call<ListingJobResult>('listing_create', body, { wait_ms: 1 });
  await expect.poll(() => ahead_ms > 0 && service.app.core.listings.countRunning()).toBe(0);
  const { calls } = await service.control<World>('GET', '/state');
  expect(calls['createDraftListing']).toBe(1);
  expect(calls['uploadListingImage']).toBeUndefined();
});

/** Another process adopts a job with an expired claim, and finishes or releases it. */
function giveAway(data_dir: string): void {
  const database = openAddon(join(data_dir, 'service.db'));
  database.exec(
    `UPDATE jobs SET fence = fence + 1, claimed_by = NULL, claimed_until = NULL WHERE status = 'processing'`,
  );
  database.close();
}
