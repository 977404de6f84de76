import type { Marketplace } from '../../ports/index.js';
import { readSnapshot } from '../snapshot/read.js';
import type { ListingSnapshot, SnapshotPart } from '../snapshot/snapshot.js';
import { callRepeatably } from '../steps/attempt.js';
import type { Changing } from './changing.js';

/** Reads parts of the listing, and keeps them as what it has. */
export async function readParts(
  changing: Changing,
  parts: readonly SnapshotPart[],
): Promise<Partial<ListingSnapshot>> {
  const { shop, update, ports, stale } = changing;
  const patient = new Proxy(ports.marketplace, {
    get: (target, name: keyof Marketplace) => {
      const read = target[name] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => callRepeatably(changing, () => read(...args));
    },
  });
  const told: Partial<ListingSnapshot> = await readSnapshot(patient, shop, update.listing_id, parts);
  for (const part of Object.keys(told) as SnapshotPart[]) stale.delete(part);
  changing.fresh = { ...changing.fresh, ...told };
  return told;
}
