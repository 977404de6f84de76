import type { PlannedBatch, PlannedMeddling } from '../../plan.js';
import type { Told } from '../asking.js';
import type { No } from '../client.js';
import { isCeiling } from '../sale/fees.js';
import { toBatch, watchCopies, type Collecting, type KnownBatch } from './collecting.js';
import { know, poll, settle } from './following.js';
import { meddle } from './meddling.js';
import { buildSelect, plan, planSheet, readTitles } from './planning.js';

const DAY_MS = 24 * 3_600_000;
const LONG_WAIT_MS = 3_600_000;
const CLOCKS_MS = 20 * 60_000;
const FOUR_MONTHS_MS = 120 * DAY_MS;

/** Plans a batch, lets others interfere, starts it, and undoes it. */
export async function runBatch(collecting: Collecting, deed: PlannedBatch): Promise<void> {
  const { pieces, world, chance } = collecting;
  const { schedule } = world;
  collecting.count += 1;
  const chosen = pieces.slice(0, Math.max(1, pieces.length - deed.left_out));
  const { sheet } = deed;
  if ((sheet ?? deed.edits).includes('on')) await takeOffSale(collecting);
  const meddling = (at: 'before' | 'during') => deed.meddling.filter((one) => one.at === at);
  const before = readTitles(collecting);
  const meddleWith = async (all: readonly PlannedMeddling[]): Promise<void> => {
    for (const one of all) {
      await schedule.pause(one.after_ms);
      await meddle(collecting, one, before);
    }
  };
  // Every second interference happens while the seller works on the sheet.
  const isEarly = (index: number): boolean => sheet !== null && index % 2 === 0;
  const early = meddling('before').filter((_, index) => isEarly(index));
  const first = sheet
    ? await planSheet(collecting, deed, chosen, () => meddleWith(early))
    : await plan(collecting, deed, buildSelect(collecting, deed, chosen), 'a');
  const second = deed.is_beside
    ? await plan(collecting, deed, buildSelect(collecting, deed, chosen), 'b')
    : undefined;
  if (!first) return;
  await meddleWith(meddling('before').filter((_, index) => !isEarly(index)));
  // Nobody is at work during a long wait, so the computers sleep.
  collecting.is_running = deed.waits_ms < LONG_WAIT_MS;
  await schedule.pause(deed.waits_ms);
  collecting.is_running = true;
  const started = [first, ...(second ? [second] : [])];
  const later = async (after_ms: number, run: () => Promise<unknown>): Promise<void> => {
    await schedule.pause(after_ms);
    await run();
  };
  const { cancel_after_ms } = deed;
  await Promise.all([
    ...(deed.start === 'never' ? [] : started.map((known) => start(collecting, known, deed))),
    ...meddling('during').map((one) => later(one.after_ms, () => meddle(collecting, one, before))),
    ...(cancel_after_ms === null ? [] : [later(cancel_after_ms, () => cancel(collecting, first))]),
  ]);
  for (const known of started) await settle(collecting, known);
  await watchCopies(collecting);
  if (deed.afterwards === 'rest') {
    const again = { batch_id: first.batch_id, item_status: chance.pick(['error', 'canceled']) };
    const rest = await plan(collecting, { ...deed, start: 'once' }, { select: again }, 'c');
    if (rest) await start(collecting, rest, { ...deed, start: 'once' });
    if (rest) await settle(collecting, rest);
  }
  if (deed.afterwards.startsWith('undo')) await takeBack(collecting, first, deed.afterwards);
}

async function takeBack(
  collecting: Collecting,
  known: KnownBatch,
  how: PlannedBatch['afterwards'],
): Promise<void> {
  if (how === 'undo_paid') {
    await endMonths(collecting);
    if (collecting.chance.oneIn(2)) await undo(collecting, known);
    await undo(collecting, known, { pay: true });
    return;
  }
  const dry = how === 'undo_dry' ? await undo(collecting, known, { dry_run: true }) : undefined;
  const undone = await undo(collecting, known);
  if (dry && undone && dry.batch_id !== undone.batch_id && dry.ended_ms === undefined)
    collecting.faults.push(`the undo ${undone.batch_id} is another one than its dry run ${dry.batch_id}`);
  if (undone && how === 'undo_twice') await undo(collecting, undone);
}

/** The four months of deactivated listings are over. */
async function endMonths({ pieces, ledger, world: { marketplace } }: Collecting): Promise<void> {
  const listing_ids = pieces
    .map(({ listing_id }) => listing_id)
    .filter((listing_id) => ledger.read(listing_id)['state'] === 'inactive');
  if (listing_ids.length > 0)
    await marketplace.control('POST', '/clock', { advance_ms: FOUR_MONTHS_MS, listing_ids });
}

/** Most pieces, so that there is something to activate: for a fee if it is sold out. */
async function takeOffSale(collecting: Collecting): Promise<void> {
  const { pieces, chance, ledger } = collecting;
  for (const [listing, piece] of pieces.entries()) {
    const what = chance.pick(['sell_out', 'sell_out', 'state', 'state', undefined] as const);
    if (what !== undefined && ledger.read(piece.listing_id)['state'] === 'active')
      await meddle(collecting, { listing, what, at: 'before', after_ms: 0 }, new Map());
  }
}

async function start(collecting: Collecting, known: KnownBatch, deed: PlannedBatch): Promise<void> {
  const { ask, who, planned, chance, world, faults } = collecting;
  const { batch_id } = known;
  const { face } = planned;
  const cost_usd = known.plan.reduce((sum, item) => sum + (item.cost_usd ?? 0), 0);
  if (deed.start === 'declined' && face !== 'rest' && cost_usd > 0) {
    const no: No = chance.pick(['decline', 'cancel', 'unticked'] as const);
    const result = await ask(who, 'batch_start', { batch_id }, { face, no });
    if (result.kind === 'told') faults.push(`${batch_id} is started without its fees having been agreed to`);
  }
  known.asked_ms ??= world.schedule.now();
  const calls = deed.start === 'twice' ? 2 : 1;
  const answers = await Promise.all(
    Array.from({ length: calls }, () => ask(who, 'batch_start', { batch_id }, { face })),
  );
  for (const result of answers) noteStart(collecting, known, result);
}

function noteStart({ world, faults, who }: Collecting, known: KnownBatch, told: Told): void {
  if (told.kind !== 'refused' || isCeiling(told)) return;
  const isLate = world.schedule.now() - known.planned_ms > DAY_MS - CLOCKS_MS;
  if (told.code === 'BATCH_EXPIRED' && (known.canceled || isLate)) return;
  faults.push(`${who} cannot start ${known.batch_id}: ${told.message}`);
}

async function cancel(collecting: Collecting, known: KnownBatch): Promise<void> {
  const { ask, who, planned, world } = collecting;
  // From here on, this call may be the reason why a start is refused, however long its answer takes.
  known.canceled = { at_ms: Infinity, waiting: [] };
  const batch = toBatch(await ask(who, 'batch_cancel', { batch_id: known.batch_id }, { face: planned.face }));
  if (!batch) return;
  const waiting = (batch.items ?? []).filter(({ status }) => status === 'waiting');
  known.canceled = { at_ms: world.schedule.now(), waiting };
}

async function undo(
  collecting: Collecting,
  { batch_id }: KnownBatch,
  how: { dry_run?: boolean; pay?: boolean } = {},
): Promise<KnownBatch | undefined> {
  const { ask, who, chance, world, planned, count, faults } = collecting;
  const { face } = planned;
  const asked = how.dry_run ? 'dry' : how.pay ? 'paid' : 'free';
  const key = chance.oneIn(2) ? `undo-${planned.number}-${count}-${batch_id}-${asked}` : undefined;
  let asked_ms = world.schedule.now();
  const input = { batch_id, ...how };
  const pays = how.pay === true;
  const before = collecting.undo_asks.get(batch_id);
  if (how.dry_run !== true && (!before || pays)) {
    collecting.undo_asks.set(batch_id, { asked_ms: before?.asked_ms ?? asked_ms, pays });
  }
  const no: No | undefined =
    how.pay && face !== 'rest' ? chance.pick(['decline', 'cancel', 'unticked']) : undefined;
  let result = await ask(who, 'batch_undo', input, { face, key, no });
  // The seller reconsiders.
  if (result.kind === 'declined') {
    asked_ms = world.schedule.now();
    result = await ask(who, 'batch_undo', input, { face, key });
  }
  if (
    result.kind === 'refused' &&
    !isCeiling(result) &&
    result.code !== 'NOTHING_TO_UNDO' &&
    result.code !== 'BATCH_RUNNING'
  )
    faults.push(`${who} cannot undo ${batch_id}: ${result.message}`);
  if (result.kind === 'refused' && result.code === 'NOTHING_TO_UNDO') {
    const { items } = (await poll(collecting, batch_id, () => true)) ?? { items: [] };
    if (items.some(({ status, diff }) => status === 'ok' && diff.length > 0))
      faults.push(`${batch_id} has changed something, and its undo says that it has not`);
  }
  const batch = toBatch(result);
  if (!batch) return undefined;
  const known = await know(collecting, batch, asked_ms);
  known.pays = how.pay === true;
  if (how.dry_run !== true) {
    known.asked_ms ??= asked_ms;
    await settle(collecting, known);
    if (result.kind === 'told' && result.was_lost) await noteLostStart(collecting, known);
  }
  return known;
}

/** The unanswered call may have started the batch that a dry run planned; the repeated call then made a second one. */
async function noteLostStart(
  collecting: Collecting,
  { batch_id, undoes }: Pick<KnownBatch, 'batch_id' | 'undoes'>,
): Promise<void> {
  for (const dry of collecting.batches.values()) {
    if (dry.undoes !== undoes || dry.batch_id === batch_id || dry.asked_ms !== undefined) continue;
    await settle(collecting, dry);
    if (dry.ended_ms !== undefined) dry.asked_ms = collecting.undo_asks.get(undoes ?? '')?.asked_ms;
  }
}
