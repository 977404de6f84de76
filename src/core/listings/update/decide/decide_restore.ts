import { quoteName } from '../../../errors.js';
import type { Warning } from '../../../../../schemas/job.js';
import type { Inventory, MarketplaceListing } from '../../../ports/marketplace_listing.js';
import { compareSnapshots, type FieldDifference, type IdNames } from '../../snapshot/compare.js';
import { isKnown, isSameValue } from '../../snapshot/difference.js';
import { indexProducts, toProductKey } from '../../snapshot/compare_inventory.js';
import type { ListingSnapshot, SnapshotPart } from '../../snapshot/snapshot.js';
import { isRelated } from './related.js';
import type { Decision, ShopAction, ShopFacts, Target } from '../plan.js';
import { buildNotUndone } from './not_undone.js';
import { listOverwritten } from './decide.js';
import { projectTarget } from './project.js';
import { keepForStock } from './keep_for_stock.js';
import { restoreInventory } from './restore_inventory.js';
import { restoreAttributes, restoreValuePhotos, type ValuePhoto } from './restore_parts.js';
import { restoreQuestions } from './restore_questions.js';
import { FIXED, RESTORED } from '../../listing_fields.js';
import { costsFee } from '../../observed/fee.js';
import { toSighting } from '../../observed/sighting.js';
import { withFields } from './with_fields.js';

type RestoreAction = Extract<ShopAction, { kind: 'restore' }>;
type Snapshot = Partial<ListingSnapshot>;

/** The parts in which the job changed something, and those that their writes may remove as a side effect. */
export function listRestoreParts({ before, after }: RestoreAction): SnapshotPart[] {
  const changed = (Object.keys(before) as SnapshotPart[]).filter(
    (part) => after[part] === undefined || compareSnapshots(pick(before, part), pick(after, part)).length > 0,
  );
  const parts = new Set<SnapshotPart>(['listing', ...changed]);
  const isMoved = parts.has('images') || parts.has('inventory') || parts.has('variation_images');
  if (isMoved) for (const part of ['images', 'inventory', 'variation_images'] as const) parts.add(part);
  const isReworded = before.listing?.title !== after.listing?.title;
  if (isReworded || before.listing?.state !== after.listing?.state) parts.add('translations');
  return [...parts];
}

/** Photos of variations need the inventory, which has the names of their values. */
function pick({ inventory, ...snapshot }: Snapshot, part: SnapshotPart): Snapshot {
  if (part === 'inventory') return inventory ? { inventory } : {};
  return part === 'variation_images'
    ? { variation_images: snapshot.variation_images ?? [], ...(inventory && { inventory }) }
    : { [part]: snapshot[part] };
}

/**
 * Decides the undo of a job in one shop: the fields that the job changed go back, and all others stay as they are now. Where someone
 * else has edited the same fields since, `on_drift` says what is done.
 */
export function decideRestore(
  { after: left, ...rest }: RestoreAction,
  { update, baseline = {}, fresh }: ShopFacts,
  now: Date,
): Decision {
  const action = { ...rest, after: { ...pickMissing(rest.before, left, fresh), ...left } };
  const { before, after, on_drift = 'refuse' } = action;
  const { names } = update;
  if (fresh.listing?.state === 'removed') {
    return { kind: 'refused', error: 'the listing was removed there', fields: [] };
  }
  const changed = compareSnapshots(before, after, names);
  const isChanged = ({ field }: FieldDifference) => changed.some((change) => isRelated(change.field, field));
  // A part that is already as it was before needs no undo.
  const open = compareSnapshots(before, fresh, names);
  const isOpen = ({ field }: FieldDifference) =>
    open.some((difference) => isRelated(difference.field, field));
  const moved = compareSnapshots(after, fresh, names).filter(
    (difference) =>
      // A listing that cannot be put on sale without a fee gives the warning below.
      difference.field !== 'state' &&
      difference.kind !== 'sold' &&
      // Questions are told by their positions, which say nothing once one was added or removed: they are compared one by one.
      !difference.field.startsWith('personalization') &&
      isChanged(difference) &&
      isOpen(difference),
  );
  const built = buildTarget(action, fresh, names, now);
  const all = [...new Map([...moved, ...built.drift].map((one) => [one.field, one])).values()];
  const isSkipped = ({ field }: FieldDifference) =>
    on_drift === 'skip' && all.some((one) => isRelated(one.field, field));
  const taken_over = compareSnapshots(baseline, fresh, names).filter(
    (difference) => !isChanged(difference) || isSkipped(difference),
  );
  if (all.length > 0 && on_drift === 'refuse') {
    const drift = all.map(({ field, before: ours, after: theirs }) => ({ field, ours, theirs }));
    return { kind: 'drift', drift, taken_over };
  }
  const is_skipping = all.length > 0 && on_drift === 'skip';
  const skipping = is_skipping
    ? buildTarget(leaveFields(action, fresh, all, names), fresh, names, now)
    : built;
  const { target, ...kept } = keepForStock(skipping.target, fresh, action.pending, names);
  const warnings = [
    ...skipping.warnings,
    ...kept.warnings,
    ...(on_drift === 'skip' ? all.map(buildSkipped) : listOverwritten(all)),
  ];
  const pending = kept.pending === undefined ? {} : { pending: kept.pending };
  const diff = compareSnapshots(fresh, projectTarget(fresh, target), names);
  if (diff.length === 0) return { kind: 'unchanged', warnings, taken_over, ...pending };
  return { kind: 'go', target, diff, warnings, taken_over, ...pending };
}

/** Parts of which it is not known how they were left count as left as they are now. */
function pickMissing(before: Snapshot, after: Snapshot, fresh: Snapshot): Snapshot {
  const missing = (Object.keys(before) as SnapshotPart[]).filter((part) => after[part] === undefined);
  return Object.fromEntries(missing.map((part) => [part, fresh[part]]));
}

/** The same undo without these fields: they count as they are now, before the job and after it. */
function leaveFields(
  action: RestoreAction,
  fresh: Snapshot,
  differences: readonly FieldDifference[],
  names: IdNames,
): RestoreAction {
  const fields = new Set(differences.map(({ field }) => field));
  const [was, became, is] = [action.before, action.after, fresh].map(({ inventory }) =>
    indexProducts(inventory),
  );
  const isRecombined = [...(was?.keys() ?? [])].join() !== [...(became?.keys() ?? [])].join();
  const leave = (own: Snapshot): Snapshot => {
    const products = own.inventory?.products.map((product) => is?.get(toProductKey(product)) ?? product);
    const theirs =
      fresh.inventory && products && !isRecombined
        ? { ...fresh, inventory: { ...fresh.inventory, products } }
        : fresh;
    return withFields(own, theirs, fields, names);
  };
  return { ...action, before: leave(action.before), after: leave(action.after) };
}

function buildSkipped({ field, before, after }: FieldDifference): Warning {
  const values = `from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
  return buildNotUndone(field, `Someone else has edited it since, ${values}; it is left unchanged.`);
}

function buildTarget(
  action: RestoreAction,
  fresh: Snapshot,
  names: IdNames,
  now: Date,
): { target: Target; warnings: Warning[]; drift: FieldDifference[] } {
  const { before, after, kept = {} } = action;
  const target: Target = {};
  const warnings: Warning[] = [];
  const drift: FieldDifference[] = [];
  const has = (part: SnapshotPart) =>
    before[part] !== undefined &&
    after[part] !== undefined &&
    compareSnapshots(pick(before, part), pick(after, part)).length > 0;

  const fields = restoreFields(before.listing, after.listing);
  if (Object.keys(fields).length > 0) target.fields = fields;
  warnings.push(...listUnwritable(before.listing, after.listing));
  if (before.images && has('images')) {
    target.images = before.images.map(({ listing_image_id: id, alt_text }) => ({
      id,
      file: kept[id] ?? null,
      alt_text,
    }));
  }
  if (before.videos && has('videos')) {
    target.videos = before.videos.map(({ video_id: id }) => ({ id, file: null }));
  }
  if (has('files')) restoreFiles(before, after, fresh, target, warnings);
  if (before.inventory && after.inventory && fresh.inventory && has('inventory')) {
    const restored = restoreInventory(before.inventory, after.inventory, fresh.inventory, names);
    target.inventory = restored.inventory;
    warnings.push(...restored.warnings);
    drift.push(...restored.drift);
  }
  if (before.attributes && after.attributes && fresh.attributes && has('attributes')) {
    target.attributes = restoreAttributes(before.attributes, after.attributes, fresh.attributes);
  }
  if (before.questions && after.questions && fresh.questions && has('questions')) {
    const restored = restoreQuestions(before.questions, after.questions, fresh.questions);
    target.questions = restored.questions;
    drift.push(...restored.drift);
  }
  restoreTranslations(before, after, fresh, target, warnings);
  if (has('variation_images') || target.images || target.inventory) {
    const photos = restoreValuePhotos(before, after, fresh);
    target.variation_images = listVariationImages(photos, target.inventory ?? fresh.inventory, target);
  }
  restoreState(action, fresh.listing, now, target, warnings);
  return { target, warnings, drift };
}

function restoreFields(
  before: MarketplaceListing | undefined,
  after: MarketplaceListing | undefined,
): NonNullable<Target['fields']> {
  if (!before || !after) return {};
  const changed = RESTORED.filter(
    (field) => isKnown(before[field]) && isKnown(after[field]) && !isSameValue(before[field], after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, before[field]]));
}

function listUnwritable(
  before: MarketplaceListing | undefined,
  after: MarketplaceListing | undefined,
): Warning[] {
  if (!before || !after) return [];
  const lost = ([...FIXED, 'listing_type'] as const).filter(
    (field) => !isSameValue(before[field], after[field]),
  );
  return lost.map((field) =>
    buildNotUndone(`listing.${field}`, 'The marketplace lets nobody write it on a listing that is there.'),
  );
}

/** The marketplace gives a digital file to buyers only, so a file that was taken away is lost. */
function restoreFiles(
  { files: was = [] }: Snapshot,
  { files: became = [] }: Snapshot,
  { files: is = [] }: Snapshot,
  target: Target,
  warnings: Warning[],
): void {
  const gone = was.filter((file) => !is.map(getId).includes(getId(file)));
  const added = new Set(became.map(getId).filter((id) => !was.map(getId).includes(id)));
  for (const { filename } of gone) {
    warnings.push(
      buildNotUndone(
        'digital_files',
        `${quoteName(filename)} was taken away for good; send it again with listing_update.`,
      ),
    );
  }
  const left = was.filter((file) => !gone.includes(file));
  const others = is.filter((file) => !added.has(getId(file)) && !was.map(getId).includes(getId(file)));
  // Without a file a digital listing would become a physical one, so the files that the job sent stay.
  const files = left.length + others.length > 0 ? [...left, ...others] : is;
  if (files === is && added.size > 0) {
    warnings.push(
      buildNotUndone('digital_files', 'What was sent instead stays, since a digital listing needs a file.'),
    );
  }
  target.files = files.map((file) => ({ id: getId(file), file: null }));
}

function getId({ listing_file_id }: { listing_file_id: number }): number {
  return listing_file_id;
}

function restoreTranslations(
  before: Snapshot,
  after: Snapshot,
  fresh: Snapshot,
  target: Target,
  warnings: Warning[],
): void {
  const was = before.translations ?? [];
  const is = fresh.translations ?? [];
  const became = after.translations ?? [];
  const isWritten = compareSnapshots({ translations: was }, { translations: became }).length > 0;
  for (const { language } of isWritten ? became : []) {
    if (was.some((one) => one.language === language)) continue;
    warnings.push(
      buildNotUndone(
        `translations.${language}`,
        'There was none before, and the marketplace lets nobody take one away.',
      ),
    );
  }
  const back = isWritten ? was : [];
  const others = is.filter(({ language }) => !back.some((one) => one.language === language));
  if (back.length + others.length > 0) target.translations = [...back, ...others];
}

/** The photos of variations whose value and photo both exist once the target is reached. */
function listVariationImages(
  photos: readonly ValuePhoto[],
  inventory: Inventory | undefined,
  { images }: Target,
): NonNullable<Target['variation_images']> {
  return photos.flatMap(({ property_id, value, image_id }) => {
    if (images && !images.some(({ id }) => id === image_id)) return [];
    const isThere = inventory?.products.some(({ property_values }) =>
      property_values.some((own) => own.property_id === property_id && own.values.includes(value)),
    );
    return isThere === false ? [] : [{ property_id, value, image: { id: image_id } }];
  });
}

/** The state to go back to, where the job put the listing on or off sale. */
function restoreState(
  { before: { listing: before }, after: { listing: after } }: Pick<RestoreAction, 'before' | 'after'>,
  fresh: MarketplaceListing | undefined,
  now: Date,
  target: Target,
  warnings: Warning[],
): void {
  if (!before || !fresh || before.state === after?.state || before.state === fresh.state) return;
  if (before.state === 'active') {
    if (costsFee(toSighting(fresh), now)) {
      const reason = `It is ${fresh.state} there, and putting it on sale again would cost a fee; listing_publish asks for it.`;
      warnings.push(buildNotUndone('state', reason));
    } else target.state = 'active';
    return;
  }
  if (fresh.state !== 'active') return;
  target.state = 'inactive';
  if (before.state === 'inactive') return;
  const reason = `It was ${before.state} and is taken off sale now; the fee that it cost is not given back.`;
  warnings.push(buildNotUndone('state', reason));
}
