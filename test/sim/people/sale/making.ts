import type { ListingJobResult, ShopResult } from '../../../answers.js';
import type { Field, Value } from '../../oracles/fields.js';
import { beginKnown, findAsked, type KnownListing } from '../../oracles/known.js';
import { describeListing, type SeenListing } from '../../oracles/seen.js';
import { drawNo, holdToNo, isCeiling, noteJob } from './fees.js';
import { drawPatience } from './patience.js';
import {
  buildDescription,
  buildQuestion,
  buildRequest,
  buildTitle,
  listMedia,
  listTargets,
  PRICE,
  QUESTION,
  STOCK,
} from './request.js';
import type { Selling } from './selling.js';

export async function create(selling: Selling): Promise<void> {
  const { planned, ask, who, sale, world } = selling;
  const { face } = planned;
  const input = buildRequest(selling);
  const no = planned.state === 'active' && !planned.gives_up ? drawNo(selling) : undefined;
  if (no !== undefined) {
    const key = planned.has_key ? `declined-${planned.number}` : undefined;
    const declined = await Promise.all(
      Array.from({ length: planned.calls }, () => ask(who, 'listing_create', input, { face, key, no })),
    );
    for (const { kind } of declined)
      if (kind === 'told') sale.faults.push(`${who} is made without its fee having been agreed to`);
    await holdToNo(selling);
  }
  if (planned.state === 'active')
    for (const { shop_id } of listTargets(world, planned)) sale.paid_shops.add(shop_id);
  const asking = {
    face,
    key: planned.has_key ? `create-${planned.number}` : undefined,
    patience_ms: drawPatience(selling, planned),
  };
  const calls = Array.from({ length: planned.calls }, () => ask(who, 'listing_create', input, asking));
  const [first] = await Promise.all(calls);
  if (first?.kind !== 'told') {
    if (first?.kind === 'refused' && !isCeiling(first))
      sale.faults.push(`${who} is refused: ${first.message}`);
    return;
  }
  noteJob(sale, first.output);
  await meet(selling, first.output);
}

/** Records a created listing, and compares it with the request. */
export async function meet(selling: Selling, { results = [] }: ListingJobResult): Promise<void> {
  const { look, sale, who, planned } = selling;
  const seen = await look();
  for (const result of results) {
    const found = seen.find(({ listing_id }) => listing_id === result.listing_id);
    if (result.status !== 'ok' && result.status !== 'unchanged') continue;
    if (!found) {
      sale.faults.push(`listing ${result.listing_id} of ${who} was told and is not there`);
      continue;
    }
    const known = sale.listings.find(({ listing_id }) => listing_id === found.listing_id);
    if (known) continue;
    const begun = beginKnown(found, result);
    sale.listings.push(begun);
    // Created later, it has the changes made in the meantime where it existed before.
    if (!planned.is_import && selling.deeds === 0) compareMade(selling, found, result);
  }
}

function compareMade(selling: Selling, found: SeenListing, { warnings = [] }: ShopResult): void {
  const { planned } = selling;
  const { fields } = describeListing(found);
  const wanted = {
    title: buildTitle(planned),
    price: PRICE,
    question: hasFailed(warnings) ? undefined : planned.has_question ? QUESTION : '',
    state: planned.state === 'active' ? 'active' : 'draft',
    stock: planned.has_variations ? `${STOCK},${STOCK}` : String(STOCK),
  };
  compare(selling, fields, warnings.length > 0 ? wanted : { ...wanted, ...listMedia(selling) });
}

/** Whether the result reports that the question could not be set. */
function hasFailed(warnings: readonly { code: string }[]): boolean {
  return warnings.some(({ code }) => code === 'personalization_failed');
}

function compare(
  { sale, who }: Selling,
  fields: Record<Field, Value>,
  expected: Partial<Record<Field, Value | undefined>>,
): void {
  for (const [field, value] of Object.entries(expected)) {
    const is = fields[field as Field];
    if (value !== undefined && is !== value) sale.faults.push(`${who} has the ${field} ${is} for ${value}`);
  }
}

export async function importOne({ world, planned, ask, who, sale, look }: Selling): Promise<void> {
  const { marketplace, plan } = world;
  const { shop_id } = listTargets(world, planned)[0] ?? { shop_id: 0 };
  const { listing_ids } = await marketplace.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id,
    is_plain: true,
    title: buildTitle(planned),
    description: buildDescription(planned),
    ...(planned.has_question && { personalization: [buildQuestion(QUESTION)] }),
  });
  const outcome = await ask(who, 'listing_import', { shop_id, listing_ids }, { face: planned.face });
  if (outcome.kind !== 'told') return;
  noteJob(sale, outcome.output);
  const results = (outcome.output.results ?? []) as unknown as {
    status: string;
    listing_pk?: number;
    listing_id: number;
  }[];
  const [result] = results;
  if (result?.listing_pk === undefined) return;
  sale.listing_pk = result.listing_pk;
  const seen = await look();
  const found = seen.find(({ listing_id }) => listing_id === result.listing_id);
  if (!found) return;
  const begun = beginKnown(found);
  // Lists lag: the import may not have seen a photo that was added manually just before, which is then drift.
  if (plan.lags.media_list_lag_ms > 0) begun.fields.photos.allowed.add('');
  sale.listings.push(begun);
}

export async function copy(selling: Selling): Promise<void> {
  const { world, planned, ask, who, sale, look } = selling;
  const target = world.template.targets.find(
    ({ shop_id }) => !sale.listings.some((listing) => listing.shop_id === shop_id),
  );
  if (!target || planned.is_import) return;
  const outcome = await ask(
    who,
    'listing_copy',
    { listing_pk: sale.listing_pk, shops: [{ ...target, price: PRICE }], state: 'publish' },
    { face: planned.face, key: `copy-${planned.number}-${selling.deeds}` },
  );
  if (outcome.kind !== 'told') return;
  noteJob(sale, outcome.output);
  const seen = await look();
  const sources = [...sale.listings];
  for (const result of outcome.output.results ?? []) {
    const { listing_id, status } = result;
    const found = seen.find((one) => one.listing_id === listing_id);
    const isKnown = sale.listings.some((listing) => listing.listing_id === listing_id);
    if (!found || status !== 'ok' || isKnown) continue;
    compareCopy(selling, found, { sources, result });
    sale.listings.push(beginKnown(found, result));
  }
}

/** The content requested for the listing is in its copy, too. Manual edits may or may not be. */
function compareCopy(
  selling: Selling,
  found: SeenListing,
  {
    sources,
    result: { warnings = [] },
  }: {
    sources: readonly KnownListing[];
    result: ShopResult;
  },
): void {
  const asked = (field: Field): Value | undefined => findAsked(sources, field);
  const isSold = sources.some(({ fields }) => fields.stock.was_foreign);
  const stock = isSold ? undefined : asked('stock');
  const wanted = {
    title: asked('title'),
    question: hasFailed(warnings) ? undefined : asked('question'),
    price: PRICE,
    stock,
    state: 'draft',
  };
  const media = { photos: asked('photos'), video: asked('video'), files: asked('files') };
  compare(selling, describeListing(found).fields, warnings.length > 0 ? wanted : { ...wanted, ...media });
}
