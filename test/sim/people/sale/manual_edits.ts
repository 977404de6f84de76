/* oxlint-disable promise/always-return -- what is done beside another deed has no value */
import type { Field } from '../../oracles/fields.js';
import { noteSold, write, type Change, type KnownListing } from '../../oracles/known.js';
import { noteUnreceived } from '../../oracles/taken_over.js';
import type { PlannedDeed } from '../../plan.js';
import { listRunning } from '../../world/jobs.js';
import { planEdit, type Edit } from './edits.js';
import type { Running, Selling } from './selling.js';

type HandDeed = Extract<PlannedDeed, { kind: 'hand' }>;

/** At once, or in parallel with the next deed of its people. */
export async function editManually(selling: Selling, deed: HandDeed): Promise<void> {
  const { world, chance, sale } = selling;
  if (!deed.is_beside) return makeManualEdit(selling, deed);
  selling.besides.push(
    world.schedule.pause(chance.between(0, 20_000)).then(async () => {
      const { current, are_two } = selling;
      // If a change overwrites manual edits made in parallel, the last writer is unknown.
      if (sale.is_running && (current?.is_overwriting === true || are_two)) return;
      await makeManualEdit(selling, deed, {
        beside: current,
        onEdit: () => {
          selling.is_meddled = true;
          if (selling.current) selling.current.is_meddled = true;
        },
      });
    }),
  );
}

/** @param during `beside`: the change in progress; `onEdit`: called before anything is changed */
async function makeManualEdit(
  selling: Selling,
  { field, shops }: HandDeed,
  { beside, onEdit }: { beside?: Running | undefined; onEdit?: () => void } = {},
): Promise<void> {
  const { sale, world } = selling;
  const { marketplace, journal, schedule, plan } = world;
  const lag_ms = plan.lags.media_list_lag_ms;
  for (const listing of shops === 'all' ? sale.listings : sale.listings.slice(0, 1)) {
    const edit = await planEdit(selling, listing, field);
    if (!edit) continue;
    onEdit?.();
    await marketplace.control('POST', `/listings/${listing.listing_id}/edit`, edit.body);
    journal.note('by hand', `${listing.listing_id} ${edit.field}`, String(edit.value));
    noteEdit(selling, listing, { edit, beside });
  }
  // Until the list shows it, nobody could know of it.
  if ((field !== 'photos' && field !== 'files') || lag_ms === 0) return;
  selling.unseen_until_ms = schedule.now() + lag_ms;
  await schedule.pause(lag_ms);
}

function noteEdit(
  selling: Selling,
  listing: KnownListing,
  { edit: { field, value }, beside }: { edit: Edit; beside: Running | undefined },
): void {
  const { sale } = selling;
  const known = listing.fields[field];
  if (field === 'words') {
    // A change that has not ended may still restore those from before.
    if (!known.is_open) write(known, `de: ${value}`, true);
    return;
  }
  const before = [...known.allowed];
  const { is_open } = known;
  // A change of stock is not drift: pieces may have been sold or added.
  if (field === 'stock') noteSold(sale, listing, value);
  else write(known, value, true);
  // A photo that a creation could not send may be sent later, whatever someone does with the others.
  if (field === 'photos') known.is_open = is_open;
  // A change that nobody waits for adopts it in passing, and reports it to nobody.
  const unheard = !selling.current && selling.left && isWorkedOn(selling) ? selling.left : undefined;
  if (unheard) noteUnreceived(sale, unheard);
  if (beside && mayWrite(beside.kind, field)) beside.collisions.push({ listing, field, value, before });
  // All combinations are written at once, with the values read a moment before.
  if (unheard && isOfInventory(field) && mayWrite(unheard.kind, field)) known.is_open = true;
}

function isWorkedOn({ world, sale }: Selling): boolean {
  return listRunning(world).some(({ listing_pk }) => listing_pk === sale.listing_pk);
}

function isOfInventory(field: Field): boolean {
  return field === 'stock' || field === 'other_price' || field === 'is_offered';
}

/** An undo may write stock up to what is there, and a change of one combination writes all. */
function mayWrite(kind: Change['kind'], field: Field): boolean {
  const parts: readonly Field[] = kind === 'several' ? ['title', 'price', 'photos'] : [];
  const isInventory = ['price', 'other_price', 'several', 'on'].includes(kind) && isOfInventory(field);
  return (
    isInventory ||
    parts.includes(field) ||
    kind === field ||
    kind === 'undo' ||
    (kind === 'other_price' && field === 'price') ||
    (field === 'state' && (kind === 'on' || kind === 'off'))
  );
}
