import { expect, it } from 'vitest';
import { openWorld } from '../world.js';

const DAY_MS = 24 * 60 * 60_000;
const SHA256 = 'ab'.repeat(32);

it('keeps bytes an undo may need for 90 days after their last use', async () => {
  const { store, clock } = await openWorld();
  const { account_id } = await store.accounts.getDefaultAccount();
  expect(await store.uploads.listUnusedBlobs([SHA256])).toEqual([SHA256]);
  await store.uploads.keepFile(account_id, SHA256);
  clock.advance(60 * DAY_MS);
  await store.uploads.keepFile(account_id, SHA256);
  clock.advance(89 * DAY_MS);
  expect(await store.retention.sweepKeptFiles(10)).toBe(0);
  expect(await store.uploads.listUnusedBlobs([SHA256])).toEqual([]);
  clock.advance(2 * DAY_MS);
  expect(await store.retention.sweepKeptFiles(10)).toBe(1);
  expect(await store.uploads.listUnusedBlobs([SHA256])).toEqual([SHA256]);
});
