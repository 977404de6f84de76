/* oxlint-disable promise/always-return -- what is done beside another deed has no value */
import type { Field, Value } from '../../oracles/fields.js';
import { write, type Change, type KnownListing } from '../../oracles/known.js';
import { listPhotos, type SeenListing } from '../../oracles/seen.js';
import { noteUnheard } from '../../oracles/taken_over.js';
import type { PlannedDeed } from '../../plan.js';
import { listRunning } from '../../world/jobs.js';
import { buildQuestion, buildValue } from './request.js';
import type { Running, Selling } from './selling.js';

type HandDeed = Extract<PlannedDeed, { kind: 'hand' }>;

/** What is sent to change a listing directly in the shop, and what its field holds then. */
type Edit = { body: Record<string, unknown>; value: Value };

const MOST_PHOTOS = 8;

/** At once, or beside what its people do next. */
export async function editByHand(selling: Selling, deed: HandDeed): Promise<void> {
  const { world, chance, sale } = selling;
  if (!deed.is_beside) return changeByHand(selling, deed);
  selling.besides.push(
    world.schedule.pause(chance.between(0, 20_000)).then(async () => {
      const { current, are_two } = selling;
      // Of one that writes over what other hands do meanwhile, no one can tell which came last.
      if (sale.is_running && (current?.is_overwriting === true || are_two)) return;
      await changeByHand(selling, deed, {
        beside: current,
        onEdit: () => {
          selling.is_meddled = true;
          if (selling.current) selling.current.is_meddled = true;
        },
      });
    }),
  );
}

/** @param during `beside`: the change that is under way; `onEdit`: called before anything is changed */
async function changeByHand(
  selling: Selling,
  { field, shops }: HandDeed,
  { beside, onEdit }: { beside?: Running | undefined; onEdit?: () => void } = {},
): Promise<void> {
  const { sale, world } = selling;
  const { marketplace, journal, schedule, plan } = world;
  const lag_ms = plan.lags.media_list_lag_ms;
  for (const listing of shops === 'all' ? sale.listings : sale.listings.slice(0, 1)) {
    const edit = await planByHand(selling, listing, field);
    if (!edit) continue;
    const { body, value } = edit;
    onEdit?.();
    await marketplace.control('POST', `/listings/${listing.listing_id}/edit`, body);
    journal.note('by hand', `${listing.listing_id} ${field}`, String(value));
    if (field !== 'words') {
      const { is_open } = listing.fields[field];
      write(listing.fields[field], value, true);
      // A photo that a creation could not send may be sent later, whatever hands do with the others.
      if (field === 'photos') listing.fields[field].is_open = is_open;
      // What no one waits for any more takes it over in passing, and tells it to no one.
      if (!selling.current && selling.left && isWorkedOn(selling)) noteUnheard(sale, selling.left);
      if (beside && mayWrite(beside.kind, field)) beside.collisions.push({ listing, field, value });
    }
    // What has not ended may still put back those from before.
    else if (!listing.fields.words.is_open) write(listing.fields.words, `de: ${value}`, true);
  }
  // Until the list shows it, no one could know of it.
  if (field !== 'photos' || lag_ms === 0) return;
  selling.unseen_until_ms = schedule.now() + lag_ms;
  await schedule.pause(lag_ms);
}

function isWorkedOn({ world, sale }: Selling): boolean {
  return listRunning(world).some(({ listing_pk }) => listing_pk === sale.listing_pk);
}

/** What an undo may write is as much as there is. */
function mayWrite(kind: Change['kind'], field: Field): boolean {
  const parts: readonly Field[] = kind === 'several' ? ['title', 'price', 'photos'] : [];
  return (
    parts.includes(field) ||
    kind === field ||
    kind === 'undo' ||
    (field === 'state' && (kind === 'on' || kind === 'off'))
  );
}

/** Undefined where hands have nothing to change. */
async function planByHand(
  selling: Selling,
  { listing_id, fields }: KnownListing,
  field: HandDeed['field'],
): Promise<Edit | undefined> {
  if (field === 'photos') {
    const seen = (await selling.look()).find((one) => one.listing_id === listing_id);
    return seen && planPhotosByHand(selling, seen);
  }
  if (field === 'state') {
    const [state, ...others] = fields.state.allowed;
    if (others.length > 0 || (state !== 'active' && state !== 'inactive')) return undefined;
    const value = state === 'active' ? 'inactive' : 'active';
    return { body: { state: value }, value };
  }
  const value = buildValue(selling, field, 'hand');
  const body = {
    title: { title: value },
    price: {
      products: [{ ...(selling.planned.has_variations ? { values: { Size: 'Small' } } : {}), price: value }],
    },
    question: { personalization: [buildQuestion(String(value))] },
    words: { translations: { de: { title: value, description: 'Nach seiner Nummer.', tags: [] } } },
  }[field];
  return { body, value };
}

/** One more, one less, or the first at the end. */
function planPhotosByHand({ chance }: Selling, seen: SeenListing): Edit | undefined {
  const images = seen.images.toSorted((a, b) => a.rank - b.rank);
  const [first, ...others] = images;
  const way = chance.pick(['more', 'less', 'turned'] as const);
  if (way === 'more' || !first || others.length === 0) {
    if (images.length >= MOST_PHOTOS) return undefined;
    const ids = images.map(({ listing_image_id }) => ({ listing_image_id }));
    return { body: { images: [...ids, {}] }, value: [...listPhotos(seen), 'none'].join(',') };
  }
  const left = way === 'less' ? others : [...others, first];
  const ids = left.map(({ listing_image_id }) => ({ listing_image_id }));
  const value = listPhotos({ ...seen, images: left.map((image, rank) => ({ ...image, rank })) }).join(',');
  // Of two that are alike no one sees which comes first.
  return value === listPhotos(seen).join(',') ? undefined : { body: { images: ids }, value };
}
