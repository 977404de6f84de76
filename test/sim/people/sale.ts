/* oxlint-disable promise/always-return -- a deed beside another has no value */
import type { ListingJobResult, ShopResult } from '../../../schemas/job.js';
import { createChance, type Chance } from '../kernel/chance.js';
import {
  beginKnown,
  describeListing,
  listPhotos,
  findAsked,
  noteChange,
  noteSold,
  noteUnheard,
  tellAll,
  toShort,
  write,
  type Change,
  type Field,
  type KnownListing,
  type KnownSale,
  type SeenListing,
  type SeenMarketplace,
  type Value,
} from '../oracles/known.js';
import { NEVER_MS, type PlannedDeed, type PlannedSale } from '../plan.js';
import type { World } from '../world/world.js';
import { findFees } from '../oracles/judge.js';
import { listRunning } from '../world/jobs.js';
import { isScarce, LEAST_DAY_PAUSE_MS, type Ask, type Told } from './asking.js';
import { uploadFile, type No, type Uploaded } from './client.js';
import { drawPhoto } from '../world/disk.js';
import { untilEnd } from '../world/machine.js';

/** A product, those who sell it, and all that they were told. */
export type Sale = KnownSale & {
  planned: PlannedSale;
  listing_pk: number | undefined;
  job_ids: Set<string>;
  /** Of each listing: how often it may have been paid for again, and how often a fee was told. */
  fees: Map<number, { more: number; told: Set<string> }>;
  /** Jobs of which it was told that whether a fee was paid is not known. */
  open_fees: Set<string>;
  /** Shops in which the fee of going live was agreed to: a copy is a draft, until it is put on sale with the others. */
  paid_shops: Set<number>;
  /** Shops in which it was told that a listing may be this, and is the seller's to look after. */
  unsure_shops: Set<number>;
  is_running: boolean;
  faults: string[];
};

type ChangeDeed = Exclude<PlannedDeed, { kind: 'hand' }> & { kind: Change['kind']; has_key?: boolean };
type RenewDeed = Extract<PlannedDeed, { kind: 'renew' }>;
type HandDeed = Extract<PlannedDeed, { kind: 'hand' }>;

export type Seller = {
  sale: Sale;
  /** From the beginning to the last deed. */
  live(): Promise<void>;
  /** When all is well: what came back as an error is finished, and what is there can be changed, and be as it was. */
  finish(): Promise<void>;
};

const MUGS = 1062;
const OPEN_FEE = /not known whether the listing was activated, and its fee paid/;
const LEAST_PATIENCE_MS = 300;
const MOST_PATIENCE_MS = 40_000;
const FINISHING_TRIES = 8;
const NO_ONE_IN = 10;
/** Where a day may end before all is done; each is a pause of hours after the one before. */
const DAYS_OF_TRIES = 120;

export function createSeller(
  world: World,
  planned: PlannedSale,
  { ask, chance, look }: { ask: Ask; chance: Chance; look: () => Promise<SeenListing[]> },
): Seller {
  const { schedule, marketplace, journal, template, plan, fates } = world;
  const who = `sale ${planned.number}`;
  const sale: Sale = {
    planned,
    listing_pk: undefined,
    job_ids: new Set(),
    fees: new Map(),
    open_fees: new Set(),
    paid_shops: new Set(),
    unsure_shops: new Set(),
    is_running: false,
    faults: [],
    listings: [],
    last: new Map(),
  };
  const { face } = planned;
  const moods = createChance(plan.seed, `moods ${planned.number}`);
  let deeds = 0;
  /** As they are asked for at first. */
  const listMedia = () => ({
    photos: listShort(template.photos.slice(0, planned.photos)),
    video: listShort(planned.has_video ? template.videos.slice(0, 1) : []),
    files: planned.is_digital ? (template.files[0]?.name ?? '') : '',
  });
  let is_meddled = false;
  /** Until when lists may not show what hands have changed. */
  let unseen_until_ms = 0;
  /** Two of its people are at work. */
  let are_two = false;
  let besides: Promise<void>[] = [];

  async function live(): Promise<void> {
    if (planned.at_ms >= NEVER_MS) return;
    await schedule.pause(planned.at_ms);
    sale.is_running = true;
    if (planned.is_import) await importOne();
    else await create();
    sale.is_running = false;
    for (const deed of planned.deeds) {
      await schedule.pause(deed.after_ms);
      if (sale.listing_pk === undefined || sale.listings.length === 0) continue;
      sale.is_running = true;
      deeds += 1;
      is_meddled = false;
      journal.note(who, `begins ${deed.kind}`);
      try {
        await act(deed);
      } finally {
        sale.is_running = false;
      }
      journal.note(who, `has done ${deed.kind}`);
      sale.is_running = false;
    }
    await Promise.all(besides);
  }

  async function create(): Promise<void> {
    const input = buildRequest();
    const no = planned.state === 'active' && !planned.gives_up ? drawNo() : undefined;
    if (no !== undefined) {
      const key = planned.has_key ? `declined-${planned.number}` : undefined;
      const declined = await Promise.all(
        Array.from({ length: planned.calls }, () => ask(who, 'listing_create', input, { face, key, no })),
      );
      for (const { kind } of declined)
        if (kind === 'told') sale.faults.push(`${who} is made without its fee having been agreed to`);
      await holdToNo();
    }
    if (planned.state === 'active') for (const shop_id of listShops()) sale.paid_shops.add(shop_id);
    const asking = {
      face,
      key: planned.has_key ? `create-${planned.number}` : undefined,
      patience_ms: planned.gives_up ? chance.between(LEAST_PATIENCE_MS, MOST_PATIENCE_MS) : undefined,
    };
    const calls = Array.from({ length: planned.calls }, () => ask(who, 'listing_create', input, asking));
    const [first] = await Promise.all(calls);
    if (first?.kind !== 'told') {
      if (first?.kind === 'refused' && !isCeiling(first))
        sale.faults.push(`${who} is refused: ${first.message}`);
      return;
    }
    noteJob(first.output);
    await meet(first.output);
  }

  /** One in so many who are asked says no first, and thinks better of it. No one asks over REST. */
  function drawNo(): No | undefined {
    const no = moods.pick(['decline', 'cancel', 'unticked'] as const);
    return moods.oneIn(NO_ONE_IN) && face !== 'rest' ? no : undefined;
  }

  /** What was declined was not paid. */
  async function holdToNo(): Promise<void> {
    const seen = await marketplace.control<SeenMarketplace>('GET', '/state');
    sale.faults.push(...findFees(sale, seen).map((what) => `${who} has declined: ${what}`));
  }

  /** Makes known what has come to be there, and holds it against what was asked for. */
  async function meet({ results = [] }: ListingJobResult): Promise<void> {
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
      // Made later, it has what was changed in the meantime where it was made before.
      if (!planned.is_import && deeds === 0) compareMade(found, result);
    }
  }

  function compareMade(found: SeenListing, { warnings = [] }: ShopResult): void {
    const { fields } = describeListing(found);
    const wanted = {
      title: buildTitle(),
      price: PRICE,
      question: planned.has_question ? QUESTION : '',
      state: planned.state === 'active' ? 'active' : 'draft',
      stock: planned.has_variations ? `${STOCK},${STOCK}` : String(STOCK),
    };
    compare(fields, warnings.length > 0 ? wanted : { ...wanted, ...listMedia() });
  }

  function compare(fields: Record<Field, Value>, expected: Partial<Record<Field, Value | undefined>>): void {
    for (const [field, value] of Object.entries(expected)) {
      const is = fields[field as Field];
      if (value !== undefined && is !== value) sale.faults.push(`${who} has the ${field} ${is} for ${value}`);
    }
  }

  async function importOne(): Promise<void> {
    const { shop_id } = targets()[0] ?? { shop_id: 0 };
    const { listing_ids } = await marketplace.control<{ listing_ids: number[] }>('POST', '/listings', {
      shop_id,
      is_plain: true,
      title: buildTitle(),
      description: buildDescription(),
      ...(planned.has_question && { personalization: [buildQuestion(QUESTION)] }),
    });
    const told = await ask(who, 'listing_import', { shop_id, listing_ids }, { face });
    if (told.kind !== 'told') return;
    noteJob(told.output);
    const results = (told.output.results ?? []) as unknown as {
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
    // Lists lag: what was read may not have had the photo that was put there by hand just before, which is drift to it then.
    if (plan.lags.media_list_lag_ms > 0) begun.fields.photos.allowed.add('');
    sale.listings.push(begun);
  }

  async function act(deed: PlannedDeed): Promise<void> {
    switch (deed.kind) {
      case 'none':
        return;
      case 'hand':
        if (!deed.is_beside) return changeByHand(deed);
        besides.push(
          schedule.pause(chance.between(0, 20_000)).then(async () => {
            // Of one that writes over what other hands do meanwhile, no one can tell which came last.
            if (sale.is_running && (current?.is_overwriting === true || are_two)) return;
            await changeByHand(deed, current, () => {
              is_meddled = true;
              if (current) current.is_meddled = true;
            });
          }),
        );
        return;
      case 'look': {
        const told = await ask(who, 'listing_get', { listing_pk: sale.listing_pk }, { face });
        if (told.kind === 'told') sale.listings.forEach(tellAll);
        return;
      }
      case 'dry': {
        const input = {
          listing_pk: sale.listing_pk,
          changes: { listing: { title: 'Perhaps' } },
          dry_run: true,
        };
        const told = await ask(who, 'listing_update', input, { face });
        if (told.kind === 'told') sale.listings.forEach(tellAll);
        return;
      }
      case 'sync': {
        const [listing] = sale.listings;
        await ask(who, 'store_sync', { shop_id: listing?.shop_id }, { face: 'rest' });
        return;
      }
      case 'resend': {
        const told = await ask(who, 'webhooks_deliveries', { limit: 20 }, { face: 'rest' });
        const rows = told.kind === 'told' ? (told.output['deliveries'] as { id: number }[]) : [];
        if (rows.length === 0) return;
        await ask(who, 'webhook_delivery_retry', { delivery_id: chance.pick(rows).id }, { face: 'rest' });
        return;
      }
      case 'delete': {
        if (planned.is_import) return;
        const told = await ask(who, 'listing_delete', { listing_pk: sale.listing_pk }, { face });
        if (told.kind === 'told') sale.faults.push(`${who} is deleted, though it stands in shops`);
        return;
      }
      case 'copy':
        return copy();
      case 'sell':
      case 'sell_out':
        return sell(deed.kind);
      case 'renew':
        return renew(deed);
      case 'at_once':
        return changeAtOnce();
      default:
        return change(deed as ChangeDeed);
    }
  }

  /** What the saved listing may have come to have, by what was asked for. */
  const asked_media = {
    photos: new Set<Value>([listMedia().photos]),
    video: new Set<Value>([listMedia().video]),
    files: new Set<Value>([listMedia().files]),
  };
  let current: (Change & { collisions: Collision[] }) | undefined;
  /** The last change whose caller has gone. */
  let left: Change | undefined;

  async function change(deed: ChangeDeed): Promise<void> {
    const { listing_pk } = sale;
    const on_drift = 'on_drift' in deed ? deed.on_drift : 'refuse';
    const asking = {
      face,
      key:
        ('has_key' in deed && deed.has_key) || (deed.kind === 'undo' && face === 'rest')
          ? `deed-${planned.number}-${deeds}`
          : undefined,
      patience_ms:
        'gives_up' in deed && deed.gives_up ? chance.between(LEAST_PATIENCE_MS, MOST_PATIENCE_MS) : undefined,
    };
    const made: Change & { collisions: Collision[] } = {
      kind: deed.kind,
      is_overwriting: on_drift === 'overwrite',
      is_meddled: is_meddled || schedule.now() < unseen_until_ms,
      collisions: [],
    };
    current = made;
    let told: Told;
    switch (deed.kind) {
      case 'title':
      case 'price': {
        made.value = buildValue(deed.kind, 'ours');
        const changed =
          deed.kind === 'title'
            ? { listing: { title: made.value } }
            : { offerings: [buildOffering(Number(made.value))] };
        told = await ask(who, 'listing_update', { listing_pk, changes: changed, on_drift }, asking);
        break;
      }
      case 'photos': {
        const count = chance.between(1, 3);
        const known = template.photos.slice(chance.below(2)).slice(0, count).toReversed();
        const fresh = chance.oneIn(2) ? await uploadOne() : undefined;
        const photos = fresh ? [fresh, ...known.slice(1)] : known;
        made.value = listShort(photos);
        const images = photos.map(({ url }) => ({ url }));
        told = await ask(who, 'listing_update', { listing_pk, changes: { images }, on_drift }, asking);
        break;
      }
      case 'video': {
        const films = chance.oneIn(3) ? [] : [chance.pick(template.videos)];
        made.value = listShort(films);
        const changes = { videos: films.map(({ url }) => ({ url })) };
        told = await ask(who, 'listing_update', { listing_pk, changes, on_drift }, asking);
        break;
      }
      case 'question': {
        made.value = String(buildValue('question', 'ours'));
        const changes = { personalization: { enabled: true, instructions: made.value, max_chars: 40 } };
        told = await ask(who, 'listing_update', { listing_pk, changes, on_drift }, asking);
        break;
      }
      case 'files': {
        const first = chance.below(template.files.length);
        const files = template.files.slice(first, first + chance.between(1, 2));
        made.value = files.map(({ name }) => name).join(',');
        const changes = { digital_files: files.map(({ url, name }) => ({ url, name })) };
        told = await ask(who, 'listing_update', { listing_pk, changes, on_drift }, asking);
        break;
      }
      case 'several': {
        const photos = template.photos.slice(chance.below(2)).slice(0, chance.between(1, 3));
        const title = buildValue('title', 'ours');
        const price = buildValue('price', 'ours');
        made.values = new Map<Field, Value>([
          ['title', title],
          ['price', price],
          ['photos', listShort(photos)],
        ]);
        const changes = {
          listing: { title },
          offerings: [buildOffering(Number(price))],
          images: photos.map(({ url }) => ({ url })),
        };
        // It ends between two of its parts.
        if (moods.oneIn(3)) fates.strikeNext({ on: 'inventory', kind: 'refused', times: MANY_REFUSALS });
        told = await ask(who, 'listing_update', { listing_pk, changes, on_drift }, asking);
        break;
      }
      case 'undo':
        told = await ask(who, 'listing_undo', { listing_pk }, asking);
        break;
      case 'off':
      case 'on': {
        const state = deed.kind === 'off' ? 'inactive' : 'active';
        const shops = sale.listings.map(({ shop_id }) => shop_id);
        const is_sold_out = sale.listings.some(({ fields }) => fields.state.allowed.has('sold_out'));
        const stock = deed.kind === 'on' && is_sold_out ? { stock: 3 } : {};
        Object.assign(made, stock);
        const input = { listing_pk, state, shops, ...stock };
        const no = deed.kind === 'on' ? drawNo() : undefined;
        if (no !== undefined) {
          told = await ask(who, 'listing_publish', input, { face, no });
          await holdToNo();
          // It costs nothing, and was done.
          if (told.kind !== 'declined') break;
        }
        if (deed.kind === 'on') sale.listings.forEach(allowFee);
        const onLost =
          deed.kind === 'on' && asking.key === undefined ? () => sale.listings.forEach(allowFee) : undefined;
        told = await ask(who, 'listing_publish', input, { ...asking, onLost });
        break;
      }
    }
    current = undefined;
    if (told.kind === 'given_up') left = made;
    for (const field of ['photos', 'video', 'files'] as const) {
      const asked = made.values?.get(field) ?? (made.kind === field ? made.value : undefined);
      if (asked !== undefined) asked_media[field].add(asked);
    }
    noteTold(deed, made, told, asking.key);
    // Of what both wrote at one time, no one can tell which came last, and what an undo goes back to.
    if (made.collisions.length > 0) sale.last = undefined;
    for (const { listing, field, value } of made.collisions) {
      const known = listing.fields[field];
      const ours =
        { on: 'active', off: 'inactive', undo: undefined }[made.kind as string] ??
        made.values?.get(field) ??
        made.value;
      known.allowed.add(value);
      if (ours !== undefined) known.allowed.add(ours);
      // What an undo has written is told of some fields alone, and photos are sent one by one.
      known.is_open ||= made.kind === 'undo' || field === 'photos';
      known.is_contested = true;
      known.is_by_hand = false;
      // It may be met as drift, or not.
      known.is_told = true;
    }
  }

  function noteTold(deed: ChangeDeed, made: Change, told: Told, key: string | undefined): void {
    if (told.kind === 'refused') {
      // What was asked for may have been done, and is refused now because it is.
      if (told.was_lost) noteChange(sale, made, undefined);
      else if (deed.kind === 'undo' && told.code !== 'LISTING_BUSY' && isKnown(sale.last))
        sale.faults.push(`${who} has something to undo, and is refused: ${told.message}`);
      return;
    }
    // Without a key, what was asked for once more may have been done twice: an undo, for one, takes itself back then.
    const is_unsure = told.kind === 'told' && told.was_lost && key === undefined;
    made.may_be_twice = is_unsure;
    const output = told.kind === 'told' ? told.output : undefined;
    if (output) noteJob(output);
    if (is_unsure && deed.kind === 'undo') {
      noteChange(sale, made, undefined);
      return;
    }
    const is_idle = output?.status === 'unchanged' && output.results === undefined;
    if (is_idle) return;
    sale.faults.push(...noteChange(sale, made, output?.results).map((what) => `${who}: ${what}`));
    if (!is_unsure) return;
    sale.last = undefined;
    noteUnheard(sale, made);
  }

  /** @param onEdit called before anything is changed */
  async function changeByHand(
    { field, shops }: HandDeed,
    beside?: typeof current,
    onEdit?: () => void,
  ): Promise<void> {
    const lag_ms = plan.lags.media_list_lag_ms;
    for (const listing of shops === 'all' ? sale.listings : sale.listings.slice(0, 1)) {
      const edit = await planByHand(listing, field);
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
        if (!current && left && isWorkedOn()) noteUnheard(sale, left);
        if (beside && mayWrite(beside.kind, field)) beside.collisions.push({ listing, field, value });
      }
      // What has not ended may still put back those from before.
      else if (!listing.fields.words.is_open) write(listing.fields.words, `de: ${value}`, true);
    }
    // Until the list shows it, no one could know of it.
    if (field !== 'photos' || lag_ms === 0) return;
    unseen_until_ms = schedule.now() + lag_ms;
    await schedule.pause(lag_ms);
  }

  function isWorkedOn(): boolean {
    return listRunning(world).some(({ listing_pk }) => listing_pk === sale.listing_pk);
  }

  /** Undefined where hands have nothing to change. */
  async function planByHand(
    { listing_id, fields }: KnownListing,
    field: HandDeed['field'],
  ): Promise<{ body: Record<string, unknown>; value: Value } | undefined> {
    if (field === 'photos') {
      const seen = (await look()).find((one) => one.listing_id === listing_id);
      return seen && planPhotosByHand(seen);
    }
    if (field === 'state') {
      const [state, ...others] = fields.state.allowed;
      if (others.length > 0 || (state !== 'active' && state !== 'inactive')) return undefined;
      const value = state === 'active' ? 'inactive' : 'active';
      return { body: { state: value }, value };
    }
    const value = buildValue(field, 'hand');
    const body = {
      title: { title: value },
      price: {
        products: [{ ...(planned.has_variations ? { values: { Size: 'Small' } } : {}), price: value }],
      },
      question: { personalization: [buildQuestion(String(value))] },
      words: { translations: { de: { title: value, description: 'Nach seiner Nummer.', tags: [] } } },
    }[field];
    return { body, value };
  }

  /** One more, one less, or the first at the end. */
  function planPhotosByHand(seen: SeenListing): { body: Record<string, unknown>; value: Value } | undefined {
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

  async function copy(): Promise<void> {
    const target = template.targets.find(
      ({ shop_id }) => !sale.listings.some((listing) => listing.shop_id === shop_id),
    );
    if (!target || planned.is_import) return;
    const told = await ask(
      who,
      'listing_copy',
      { listing_pk: sale.listing_pk, shops: [{ ...target, price: PRICE }], state: 'publish' },
      { face, key: `copy-${planned.number}-${deeds}` },
    );
    if (told.kind !== 'told') return;
    noteJob(told.output);
    const seen = await look();
    const sources = [...sale.listings];
    for (const result of told.output.results ?? []) {
      const { listing_id, status } = result;
      const found = seen.find((one) => one.listing_id === listing_id);
      const is_known = sale.listings.some((listing) => listing.listing_id === listing_id);
      if (!found || status !== 'ok' || is_known) continue;
      compareCopy(found, sources, result);
      sale.listings.push(beginKnown(found, result));
    }
  }

  /** What was asked for the listing is in its copy too. What other hands have put there may be or not. */
  function compareCopy(
    found: SeenListing,
    sources: readonly KnownListing[],
    { warnings = [] }: ShopResult,
  ): void {
    const asked = (field: Field): Value | undefined => findAsked(sources, field);
    const is_sold = sources.some(({ fields }) => fields.stock.was_foreign);
    const stock = is_sold ? undefined : asked('stock');
    const wanted = {
      title: asked('title'),
      question: asked('question'),
      price: PRICE,
      stock,
      state: 'draft',
    };
    const media = { photos: asked('photos'), video: asked('video'), files: asked('files') };
    compare(describeListing(found).fields, warnings.length > 0 ? wanted : { ...wanted, ...media });
  }

  async function sell(kind: 'sell' | 'sell_out'): Promise<void> {
    const [listing] = sale.listings;
    const seen = (await look()).find(({ listing_id }) => listing_id === listing?.listing_id);
    const products = seen?.inventory.products ?? [];
    if (!listing || seen?.state !== 'active') return;
    const { allowed, is_open } = listing.fields.stock;
    const found = describeListing(seen).fields.stock;
    if (!current && !is_open && !allowed.has(found))
      sale.faults.push(
        `stock of ${listing.listing_id} is ${found} and not ${[...allowed].join(' or ')}, when it is sold`,
      );
    const stock = products.map(({ offering }) => offering.quantity);
    const wanted = kind === 'sell_out' ? stock : [1];
    if (kind === 'sell' && stock.reduce((sum, one) => sum + one, 0) < 2) return;
    for (const quantity of wanted) {
      if (quantity === 0) continue;
      const sold = await marketplace
        .control<{ state: string }>('POST', `/listings/${listing.listing_id}/sell`, { quantity })
        .catch(() => undefined);
      if (!sold) continue;
      const left = (await look()).find(({ listing_id }) => listing_id === listing.listing_id);
      if (left) noteSold(sale, listing, describeListing(left).fields.stock);
      // Whether that was bought before what is under way has set the stock, no one can tell.
      listing.fields.stock.is_open ||= current !== undefined;
      if (sold.state === 'sold_out') write(listing.fields.state, 'sold_out', true);
    }
    journal.note('buyer', `${listing.listing_id} ${kind}`);
  }

  /** What is sold out is put on sale for a fee, and buyers take it all before anyone knows that it is there. */
  async function renew({ is_silent }: RenewDeed): Promise<void> {
    await sell('sell_out');
    if (sale.listings[0]?.fields.state.allowed.has('sold_out') !== true) return;
    if (is_silent) fates.strikeNext({ on: 'change', kind: 'silent', times: 1 });
    let is_over = false;
    const buying = buyUp(() => is_over);
    await change({ kind: 'on', after_ms: 0, has_key: moods.oneIn(2) });
    is_over = true;
    await buying;
  }

  /** A photo that no one has uploaded before; undefined where the program ends meanwhile, or has no time for it. */
  async function uploadOne(): Promise<Uploaded | undefined> {
    const life = world.machines
      .filter((machine) => !machine.isAway())
      .map((machine) => {
        machine.wake();
        return machine.getLife();
      })
      .find((one) => one !== undefined);
    if (!life) return undefined;
    const number = FIRST_OWN_PHOTO + 100 * planned.number + deeds;
    const photo = { name: `own-${number}.png`, bytes: drawPhoto(number) };
    const uploaded = await untilEnd(
      life,
      uploadFile(life, 'image', photo).catch(() => undefined),
    );
    journal.note(who, 'uploads a photo', uploaded === 'ended' ? 'no answer' : String(uploaded?.url));
    return uploaded === 'ended' ? undefined : uploaded;
  }

  /** One of them may be told that the listing is busy, and comes again. */
  async function changeAtOnce(): Promise<void> {
    are_two = true;
    // What one of them takes over, the other may have met as drift before, and hear of it later.
    for (const { fields } of sale.listings) {
      for (const known of Object.values(fields)) known.is_told ||= known.is_by_hand;
    }
    const first = changeField('title');
    deeds += 1;
    await Promise.all([first, changeField('price')]);
    are_two = false;
    // Which of them came last, and is taken back by an undo, neither of them knows.
    sale.last = undefined;
  }

  function changeField(kind: 'title' | 'price'): Promise<void> {
    return change({ kind, after_ms: 0, on_drift: 'refuse', has_key: chance.oneIn(2), gives_up: false });
  }

  async function buyUp(isOver: () => boolean): Promise<void> {
    const [listing] = sale.listings;
    while (!isOver()) {
      await schedule.pause(chance.between(1_000, 4_000));
      const seen = (await look()).find(({ listing_id }) => listing_id === listing?.listing_id);
      if (seen?.state !== 'active' || isOver()) continue;
      if (current) current.is_meddled = true;
      await sell('sell_out');
      return;
    }
  }

  async function finish(): Promise<void> {
    if (sale.listing_pk === undefined) return;
    if (!planned.is_import) await complete();
    // Where a day may end in the middle, what is left of a change is for another day.
    if (sale.listings.length > 0 && !isScarce(plan)) await changeAndUndo();
  }

  /** Where nothing is in the way any more, a change comes to be, and its undo brings back what was there. */
  async function changeAndUndo(): Promise<void> {
    const { listing_pk } = sale;
    // The grant of a shop may have ended unheard, as its last renewal was answered and never arrived: then its seller agrees once more.
    for (const { shop_id } of sale.listings) await ask(who, 'store_sync', { shop_id }, { face: 'rest' });
    const before = await lookForTitles();
    const changes = { listing: { title: `Last ${planned.number}` } };
    const input = { listing_pk, changes, on_drift: 'overwrite' };
    if (!(await isDone('listing_update', input))) return;
    const changed = await lookForTitles();
    if (changed.some(([, title]) => title !== changes.listing.title))
      sale.faults.push(`${who} was changed and has the titles ${JSON.stringify(changed)}`);
    if (!(await isDone('listing_undo', { listing_pk }))) return;
    const after = await lookForTitles();
    if (JSON.stringify(after) !== JSON.stringify(before))
      sale.faults.push(
        `${who} has the titles ${JSON.stringify(after)}, undone, for ${JSON.stringify(before)}`,
      );
  }

  async function lookForTitles(): Promise<[number, string][]> {
    const seen = await look();
    return sale.listings.flatMap(({ listing_id }) =>
      seen.flatMap((one) =>
        one.listing_id === listing_id ? [[listing_id, one.fields.title] as [number, string]] : [],
      ),
    );
  }

  /** Whether it is told as done in each shop; if not, that is a fault. */
  async function isDone(id: string, input: Record<string, unknown>): Promise<boolean> {
    const told = await ask(who, id, input, { face, key: `${id}-${planned.number}-at-the-end` });
    if (told.kind !== 'told') {
      sale.faults.push(`${who} has no ${id} at the end: ${JSON.stringify(told)}`);
      return false;
    }
    noteJob(told.output);
    const { results = [] } = told.output;
    const open = sale.listings.flatMap(({ listing_id, shop_id }) => {
      const result = results.find((one) => Number(one.shop_id) === shop_id);
      return result?.status === 'ok' ? [] : [`${listing_id} ${result?.status} ${result?.error ?? ''}`];
    });
    if (open.length > 0) sale.faults.push(`${id} at the end is not done: ${open.join(', ')}`);
    return open.length === 0;
  }

  async function complete(): Promise<void> {
    for (let tries = 0; tries < (isScarce(plan) ? DAYS_OF_TRIES : FINISHING_TRIES); tries += 1) {
      const { listing_pk } = sale;
      const no = planned.state === 'active' ? drawNo() : undefined;
      if (no === undefined && planned.state === 'active')
        for (const { shop_id } of template.targets) sale.paid_shops.add(shop_id);
      const told = await ask(who, 'listing_publish', { listing_pk, state: planned.state }, { face, no });
      if (no !== undefined) await holdToNo();
      if (told.kind === 'declined') continue;
      if (told.kind !== 'told') {
        if (told.kind === 'refused' && !isCeiling(told))
          sale.faults.push(`${who} cannot be finished: ${told.message}`);
        return;
      }
      noteJob(told.output);
      await meet(told.output);
      const { status, results = [] } = told.output;
      if (planned.state === 'active') noteLive(results);
      const unsure = results.filter(({ error = '' }) => error.includes(UNSURE));
      for (const { shop_id } of unsure) sale.unsure_shops.add(Number(shop_id));
      if (unsure.length > 0) return;
      if (
        status === 'unchanged' ||
        (status === 'completed' && results.every((shop) => shop.status !== 'error'))
      )
        return;
      await schedule.pause(
        tries < FINISHING_TRIES ? chance.between(1000, 60_000) : chance.between(1, 3) * LEAST_DAY_PAUSE_MS,
      );
    }
    sale.faults.push(`${who} never comes right`);
  }

  return { sale, live, finish };

  /** What was a draft still, as a copy is, has gone live with the others. */
  function noteLive(results: readonly ShopResult[]): void {
    for (const { fields, listing_id } of sale.listings) {
      const result = results.find((one) => one.listing_id === listing_id);
      if (fields.state.allowed.has('draft')) {
        fields.state.allowed.add('active');
        takeSaved(fields);
      }
      // Told as done when it went live; what was sold out since stays so.
      if (fields.state.allowed.has('sold_out')) continue;
      if (result?.status === 'ok' && fields.state.allowed.size > 1) write(fields.state, 'active', false);
    }
  }

  /**
   * A copy that goes live has the photos, films and files that were asked for, or that the listing has come to have in other shops, as by
   * an undo there; and the question, where the copy was made without one.
   */
  function takeSaved(fields: KnownListing['fields']): void {
    for (const field of ['photos', 'video', 'files', 'question'] as const) {
      if (field !== 'question') for (const value of asked_media[field]) fields[field].allowed.add(value);
      for (const other of sale.listings)
        for (const value of other.fields[field].allowed) fields[field].allowed.add(value);
    }
  }

  function noteJob({ job_id, listing_pk, results = [] }: ListingJobResult): void {
    if (listing_pk !== undefined) sale.listing_pk = listing_pk;
    if (job_id === undefined) return;
    sale.job_ids.add(job_id);
    for (const { listing_id, activation_cost_usd = 0, error = '' } of results) {
      if (OPEN_FEE.test(error)) sale.open_fees.add(job_id);
      if (listing_id === undefined || activation_cost_usd === 0) continue;
      getFees(listing_id).told.add(job_id);
    }
  }

  /** What is put on sale costs a fee where it was a draft, or sold out. */
  function allowFee({ shop_id, listing_id, fields: { state } }: KnownListing): void {
    if (state.allowed.has('draft')) sale.paid_shops.add(shop_id);
    if (state.allowed.has('sold_out')) getFees(listing_id).more += 1;
  }

  function getFees(listing_id: number): { more: number; told: Set<string> } {
    const fees = sale.fees.get(listing_id) ?? { more: 0, told: new Set<string>() };
    sale.fees.set(listing_id, fees);
    return fees;
  }

  function listShops(): number[] {
    return targets().map(({ shop_id }) => shop_id);
  }

  function targets() {
    const [first, second] = template.targets;
    if (!first || !second) throw new Error('there are two shops');
    return { both: [first, second], first: [first], second: [second] }[planned.shops];
  }

  function buildRequest(): Record<string, unknown> {
    return {
      shops: planned.is_digital ? targets().map(({ shop_id }) => ({ shop_id })) : targets(),
      state: planned.state,
      listing: {
        title: buildTitle(),
        description: buildDescription(),
        listing_type: planned.is_digital ? 'digital' : 'physical',
        taxonomy_id: MUGS,
        price: PRICE,
        quantity: STOCK,
        who_made: 'i_did',
        when_made: 'made_to_order',
        is_supply: false,
      },
      ...(planned.photos > 0 && {
        images: template.photos.slice(0, planned.photos).map(({ url }) => ({ url })),
      }),
      ...(planned.is_digital && {
        digital_files: template.files.slice(0, 1).map(({ url, name }) => ({ url, name })),
      }),
      ...(planned.has_video && { videos: template.videos.slice(0, 1).map(({ url }) => ({ url })) }),
      ...(planned.has_question && {
        personalization: { enabled: true, is_required: false, instructions: QUESTION, max_chars: 40 },
      }),
      ...(planned.has_variations && {
        variations: { properties: [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }] },
      }),
    };
  }

  function buildTitle(): string {
    return `Piece ${planned.number}`;
  }

  function buildDescription(): string {
    return `By its number: ${planned.number}.`;
  }

  function buildOffering(price: number): Record<string, unknown> {
    return { ...(planned.has_variations ? { size: 'Small' } : {}), price };
  }

  /** Each value is another one, so that it says who wrote it. */
  function buildValue(kind: 'title' | 'price' | 'question' | 'words', by: 'ours' | 'hand'): Value {
    const number = 2 * (100 * planned.number + deeds) + (by === 'hand' ? 1 : 0);
    return kind === 'price' ? 30 + number : `${by === 'hand' ? 'By hand' : 'Ours'} ${number}`;
  }
}

/** Whether there is something to take back, and all of it is known. */
function isKnown(last: KnownSale['last']): boolean {
  return last !== undefined && last.size > 0;
}

/** What hands wrote into a field while a change did. */
type Collision = { listing: KnownListing; field: Field; value: Value };

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

/** As many as the program tries, at least. */
const MANY_REFUSALS = 6;
const MOST_PHOTOS = 8;
const FIRST_OWN_PHOTO = 1000;

/** What a lost create has made since the listing was changed: no one but its seller can say whose it is. */
const UNSURE = 'cannot be told whether it is';
const PRICE = 24.5;
const STOCK = 4;
const QUESTION = 'What shall it say';

function buildQuestion(instructions: string): Record<string, unknown> {
  return {
    question_text: 'Personalization',
    question_type: 'text_input',
    instructions,
    required: false,
    max_allowed_characters: 40,
  };
}

function listShort(files: readonly { sha256: string }[]): string {
  return files.map(({ sha256 }) => toShort(sha256)).join(',');
}

function isCeiling({ message }: { message: string }): boolean {
  return message.includes('MAX_ACTIVATIONS_PER_DAY');
}
