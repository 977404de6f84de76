import type { ListingJobResult } from '../../../answers.js';
import { findFees } from '../../oracles/judge.js';
import type { KnownListing } from '../../oracles/known.js';
import type { SeenMarketplace } from '../../oracles/seen.js';
import type { No } from '../client.js';
import type { Sale, Selling } from './selling.js';

const OPEN_FEE = /not known whether the listing was activated and its fee was paid/;
/**
 * One in this many people declines first, and then reconsiders; more often if a client can dismiss the
 * question.
 */
const NO_ONE_IN = { mcp_http: 10, mcp_stdio: 3 };

/** Nobody asks over REST. */
export function drawNo({ moods, planned }: Selling): No | undefined {
  const no = moods.pick(['decline', 'cancel', 'unticked'] as const);
  return planned.face !== 'rest' && moods.oneIn(NO_ONE_IN[planned.face]) ? no : undefined;
}

/** Records a fault for each fee that was paid although the person declined it. */
export async function holdToNo({ world, sale, who }: Selling): Promise<void> {
  const seen = await world.marketplace.control<SeenMarketplace>('GET', '/state');
  sale.faults.push(...findFees(sale, seen).map((what) => `${who} has declined: ${what}`));
}

export function noteJob(sale: Sale, { job_id, listing_pk, results = [] }: ListingJobResult): void {
  if (listing_pk !== undefined) sale.listing_pk = listing_pk;
  if (job_id === undefined) return;
  sale.job_ids.add(job_id);
  for (const { listing_id, activation_cost_usd = 0, error = '' } of results) {
    if (OPEN_FEE.test(error)) sale.open_fees.add(job_id);
    if (listing_id === undefined || activation_cost_usd === 0) continue;
    getFees(sale, listing_id).told.add(job_id);
  }
}

/** Activating costs a fee if the listing was a draft or sold out. */
export function allowFee(sale: Sale, { shop_id, listing_id, fields: { state } }: KnownListing): void {
  if (state.allowed.has('draft')) sale.paid_shops.add(shop_id);
  if (state.allowed.has('sold_out')) getFees(sale, listing_id).more += 1;
}

function getFees(sale: Sale, listing_id: number): { more: number; told: Set<string> } {
  const fees = sale.fees.get(listing_id) ?? { more: 0, told: new Set<string>() };
  sale.fees.set(listing_id, fees);
  return fees;
}

/** Whether it was refused because no more fees are allowed that day. */
export function isCeiling({ message }: { message: string }): boolean {
  return message.includes('MAX_ACTIVATIONS_PER_DAY');
}
