import { FEW_FEES } from '../../plan.js';
import type { Collecting } from './collecting.js';

/** Other people of the account renew their own listing until no more fees are allowed that day. */
export async function spend({ world, planned, ask, who, count }: Collecting): Promise<void> {
  const { marketplace, template } = world;
  const shop_id = template.targets[planned.shop]?.shop_id;
  const made = await marketplace.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id,
    title: `Spare ${planned.number}.${count}`,
    description: 'A spare one.',
    tags: ['spare'],
    is_plain: true,
  });
  const { face } = planned;
  const outcome = await ask(who, 'listing_import', { shop_id, listing_ids: made.listing_ids }, { face });
  if (outcome.kind !== 'told') return;
  const [result] = outcome.output.results as unknown as { listing_pk?: number }[];
  // Skips this on a day that the marketplace has declared over.
  if (result?.listing_pk === undefined) return;
  const input = { listing_pk: result.listing_pk, state: 'active', shops: [shop_id] };
  for (let fee = 0; fee <= FEW_FEES; fee += 1) {
    await marketplace.control('POST', `/listings/${made.listing_ids[0]}/edit`, { state: 'expired' });
    const key = `spare-${planned.number}-${count}-${fee}`;
    const renewed = await ask(who, 'listing_publish', input, { face, key });
    if (renewed.kind !== 'told') return;
  }
}
