import type { Change, KnownSale } from '../../oracles/known.js';
import { noteChange } from '../../oracles/outcome.js';
import type { Field, Value } from '../../oracles/fields.js';
import { noteUnreceived } from '../../oracles/taken_over.js';
import type { PlannedDeed } from '../../plan.js';
import type { Asking, Told } from '../asking.js';
import { drawContents } from './contents.js';
import { allowFee, drawNo, holdToNo, noteJob } from './fees.js';
import { drawPatience } from './patience.js';
import type { Running, Selling } from './selling.js';

export type ChangeDeed = Exclude<PlannedDeed, { kind: 'hand' }> & { kind: Change['kind']; has_key?: boolean };

/** A change or its undo, an activation or deactivation: requested, and its result recorded. */
export async function change(selling: Selling, deed: ChangeDeed): Promise<void> {
  const { planned, world, sale } = selling;
  const on_drift = 'on_drift' in deed ? deed.on_drift : 'refuse';
  const hasKey = ('has_key' in deed && deed.has_key) || (deed.kind === 'undo' && planned.face === 'rest');
  const asking = {
    face: planned.face,
    key: hasKey ? `deed-${planned.number}-${selling.deeds}` : undefined,
    patience_ms: 'gives_up' in deed ? drawPatience(selling, deed) : undefined,
  };
  const made: Running = {
    kind: deed.kind,
    is_overwriting: on_drift === 'overwrite',
    is_meddled: selling.is_meddled || world.schedule.now() < selling.unseen_until_ms,
    collisions: [],
  };
  selling.current = made;
  const answer = await askFor(selling, made, { asking, on_drift });
  selling.current = undefined;
  if (answer.kind === 'given_up') selling.left = made;
  for (const field of ['photos', 'video', 'files'] as const) {
    const asked = made.values?.get(field) ?? (made.kind === field ? made.value : undefined);
    if (asked !== undefined) selling.asked_media[field].add(asked);
  }
  noteTold(selling, made, { told: answer, key: asking.key });
  // If both wrote a field at the same time, the last writer and the value an undo restores are unknown.
  if (made.collisions.length > 0) sale.last = undefined;
  noteCollisions(made);
}

async function askFor(
  selling: Selling,
  made: Running,
  { asking, on_drift }: { asking: Asking; on_drift: 'refuse' | 'overwrite' },
): Promise<Told> {
  const { who, ask, sale } = selling;
  const { listing_pk } = sale;
  if (made.kind === 'undo') return ask(who, 'listing_undo', { listing_pk }, asking);
  if (made.kind === 'on' || made.kind === 'off') return askForState(selling, made, asking);
  const { changes, ...wanted } = await drawContents(selling, made.kind);
  Object.assign(made, wanted);
  return ask(who, 'listing_update', { listing_pk, changes, on_drift }, asking);
}

/** Activates or deactivates: activation costs a fee, which a person may decline first. */
async function askForState(selling: Selling, made: Running, asking: Asking): Promise<Told> {
  const { who, ask, sale } = selling;
  const { listing_pk } = sale;
  const isOn = made.kind === 'on';
  const shops = sale.listings.map(({ shop_id }) => shop_id);
  const isSoldOut = sale.listings.some(({ fields }) => fields.state.allowed.has('sold_out'));
  const stock = isOn && isSoldOut ? { stock: 3 } : {};
  Object.assign(made, stock);
  const input = { listing_pk, state: isOn ? 'active' : 'inactive', shops, ...stock };
  const no = isOn ? drawNo(selling) : undefined;
  if (no !== undefined) {
    const answer = await ask(who, 'listing_publish', input, { face: asking.face, no });
    await holdToNo(selling);
    // It cost nothing, and was done.
    if (answer.kind !== 'declined') return answer;
  }
  const allowFees = (): void => sale.listings.forEach((listing) => allowFee(sale, listing));
  if (isOn) allowFees();
  const onLost = isOn && asking.key === undefined ? allowFees : undefined;
  return ask(who, 'listing_publish', input, { ...asking, onLost });
}

function noteTold(
  selling: Selling,
  made: Running,
  { told, key }: { told: Told; key: string | undefined },
): void {
  const { sale, who } = selling;
  if (told.kind === 'refused') {
    // The change may have been done, and be refused now because of that.
    if (told.was_lost) noteChange(sale, made, undefined);
    else if (made.kind === 'undo' && told.code !== 'LISTING_BUSY' && isKnown(sale.last))
      sale.faults.push(`${who} has something to undo, and is refused: ${told.message}`);
    return;
  }
  // Without a key, a repeated request may have been done twice: an undo then undoes itself.
  const isUnsure = told.kind === 'told' && told.was_lost && key === undefined;
  made.may_be_twice = isUnsure;
  const output = told.kind === 'told' ? told.output : undefined;
  if (output) noteJob(sale, output);
  if (isUnsure && made.kind === 'undo') {
    noteChange(sale, made, undefined);
    return;
  }
  if (!isUnsure) selling.last_told = output?.results;
  const isIdle = output?.status === 'unchanged' && output.results === undefined;
  if (isIdle) return;
  sale.faults.push(...noteChange(sale, made, output?.results).map((what) => `${who}: ${what}`));
  if (!isUnsure) return;
  sale.last = undefined;
  noteUnreceived(sale, made);
}

/** Whether there is something to undo, and all of it is known. */
function isKnown(last: KnownSale['last']): boolean {
  return last !== undefined && last.size > 0;
}

function noteCollisions(made: Running): void {
  for (const { listing, field, value, before } of made.collisions) {
    const known = listing.fields[field];
    known.allowed.add(value);
    for (const ours of listOurs(made, field) ?? before) known.allowed.add(ours);
    // Only some fields of an undo are reported, and photos are sent individually.
    known.is_open ||= made.kind === 'undo' || field === 'photos';
    known.is_contested = true;
    known.is_manual = false;
    // It may or may not be found as drift.
    known.is_reported = true;
  }
}

/** The values it was to write there; undefined if it writes the values it has read. */
function listOurs({ kind, value, values }: Running, field: Field): Value[] | undefined {
  if (kind === 'undo') return [];
  if (field === 'state') return [kind === 'on' ? 'active' : 'inactive'];
  const ours = values?.get(field) ?? (kind === field ? value : undefined);
  return ours === undefined ? undefined : [ours];
}

/** Two sellers at the same time. One of them may be told that the listing is busy, and repeats. */
export async function changeAtOnce(selling: Selling): Promise<void> {
  const { sale } = selling;
  selling.are_two = true;
  // An edit one of them adopts, the other may have found as drift before, and hear of it later.
  for (const { fields } of sale.listings) {
    for (const known of Object.values(fields)) known.is_reported ||= known.is_manual;
  }
  const first = changeField(selling, 'title');
  selling.deeds += 1;
  await Promise.all([first, changeField(selling, 'price')]);
  selling.are_two = false;
  // Which of them came last, and is undone by an undo, is unknown to both.
  sale.last = undefined;
}

function changeField(selling: Selling, kind: 'title' | 'price'): Promise<void> {
  const hasKey = selling.chance.oneIn(2);
  return change(selling, { kind, after_ms: 0, on_drift: 'refuse', has_key: hasKey, gives_up: false });
}
