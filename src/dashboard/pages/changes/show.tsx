import type { VNode } from 'preact';
import { batchItemStatus, type BatchItemStatus } from '../../../../schemas/batch.js';
import type { ConnectedShop } from '../../../core/ports/index.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Action } from '../../components/action.js';
import { Badge } from '../../components/badge.js';
import { Live, ReloadWithoutScripts } from '../../components/live.js';
import { PageHead } from '../../components/page_head.js';
import { Notice } from '../../components/notice.js';
import { Pager } from '../../components/pager.js';
import { Warnings } from '../../components/warnings.js';
import { getOffset } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Framing, OwnVisit, Page } from '../../page.js';
import { listKept } from '../shops/kept.js';
import { isChoosable, Items, PlanItems } from './items.js';
import { Progress, toSentence } from './progress.js';
import {
  getBatchId,
  PATH,
  readBatch,
  sumPlan,
  toBatchPath,
  type BatchPage,
  type PlanSum,
  hasHalfDone,
} from './read.js';
import { Edits, Review } from './review.js';
import { UndoneLink } from '../../components/undone.js';
import { createNameStarter, Made } from './who.js';
import { isMoving, toExtent, toItemWord, toResult, toStatusWord, type Batch } from './words.js';

/** A batch: its plan before it is started, its progress, and its result. */
export const change: Page = {
  path: '/changes/{batch_id}',
  get: (visit) => showBatch(visit),
};

/** @param problem why it was not started */
export async function showBatch(visit: OwnVisit, problem?: VNode): Promise<VNode> {
  const isUpdated = visit.request.query.has('updated');
  const batch_id = getBatchId(visit);
  const item_status = readStatus(visit);
  const query = { item_status, offset: getOffset(visit) };
  const [page, connected] = await Promise.all([readBatch(visit, batch_id, query), listKept(visit)]);
  const { batch } = page;
  const sum = batch.status === 'planned' ? await sumPlan(visit, batch_id, connected) : undefined;
  const nameStarter = await createNameStarter(visit);
  const who = nameStarter(await visit.core.batches.findStarter(visit.account_id, batch_id));
  const hasEnded = !isMoving(batch);
  const hasBegunPart = hasEnded && (await hasHalfDone(visit, batch));
  return (
    <Change
      visit={visit}
      {...{ page, connected, item_status, sum, hasBegunPart, who }}
      problem={problem ?? (isUpdated && sum ? <Updated /> : undefined)}
    />
  );
}

function readStatus({ request }: Pick<OwnVisit, 'request'>): BatchItemStatus | undefined {
  return batchItemStatus.safeParse(request.query.get('is')).data;
}

type Props = {
  visit: Framing;
  page: BatchPage;
  connected: readonly ConnectedShop[];
  item_status: BatchItemStatus | undefined;
  /** For a plan that can be started. */
  sum: PlanSum | undefined;
  /** Whether failed items may be partly changed, by edits that add up when repeated. */
  hasBegunPart: boolean;
  problem: VNode | undefined;
  who: string | undefined;
};

function Change({ visit, page, connected, item_status, sum, hasBegunPart, problem, who }: Props) {
  const { batch, items, title, undone, warnings = [] } = page;
  const { tone, word } = toStatusWord(batch);
  const href = toBatchPath(batch.batch_id);
  const isOnTheWay = isMoving(batch);
  const hasRows = batch.status === 'planned' && items.some(isChoosable);
  return (
    <Dashboard
      visit={visit}
      title={title}
      section="Changes"
      scripts={isOnTheWay ? ['live'] : []}
      head={isOnTheWay && <ReloadWithoutScripts />}
    >
      <PageHead
        up={{ href: PATH, name: 'Changes' }}
        title={title}
        badge={<Badge tone={tone}>{word}</Badge>}
        note={
          <>
            {batch.status !== 'planning' && batch.counts.items > 0 && `${toExtent(batch.counts)}, `}
            <Made who={who} at={batch.started_at ?? batch.created_at} />
          </>
        }
      />
      {problem}
      <Warnings warnings={warnings} />
      <div class="columns">
        <aside class="stack" aria-label="State and actions">
          {isOnTheWay && (
            <div class="card">
              <h2>{batch.status === 'planning' ? 'Planning' : 'In progress'}</h2>
              <Live href={`${href}/events`} sentence={toSentence(batch)}>
                <Progress batch={batch} />
              </Live>
              <Action visit={visit} to={`${href}/cancel`} label="Cancel" variant="danger" />
              {batch.status !== 'planning' && (
                <p class="note">Canceling does not undo changes that are already made.</p>
              )}
            </div>
          )}
          {sum && <Review visit={visit} batch={batch} sum={sum} hasRows={hasRows} />}
          {sum && <Edits visit={visit} batch={batch} sum={sum} />}
          {!isOnTheWay && !sum && <Ended {...{ visit, batch, hasBegunPart, undone }} />}
        </aside>
        <section class="stack">
          <h2 id="listings">{toHeading(batch)}</h2>
          <Filter batch={batch} chosen={item_status} />
          {items.length === 0 && <Nothing batch={batch} chosen={item_status} />}
          {hasRows ? (
            <PlanItems visit={visit} batch={batch} items={items} connected={connected} />
          ) : (
            <Items batch={batch} items={items} connected={connected} />
          )}
          <Pager {...page} buildHref={(offset) => buildHref(href, item_status, offset)} />
        </section>
      </div>
    </Dashboard>
  );
}

function toHeading({ started_at, status }: Batch): string {
  if (started_at !== null) return 'What changed';
  return status === 'planning' || status === 'planned' ? 'What will change' : 'What was planned';
}

function Nothing({ batch, chosen }: { batch: Batch; chosen: BatchItemStatus | undefined }) {
  if (chosen !== undefined) {
    return (
      <p>
        No listings match this filter. <a href={toBatchPath(batch.batch_id)}>Show all</a>
      </p>
    );
  }
  return (
    <p>
      {batch.status === 'planning' ? 'No listings have been read yet.' : 'This change affects no listings.'}
    </p>
  );
}

function buildHref(href: string, is: BatchItemStatus | undefined, offset = 0): string {
  const query = new URLSearchParams({ ...(is && { is }), ...(offset > 0 && { offset: `${offset}` }) });
  const text = query.toString();
  return `${href}${text && `?${text}`}#listings`;
}

/** The statuses of the items, with their counts. */
function Filter({ batch, chosen }: { batch: Batch; chosen: BatchItemStatus | undefined }) {
  const { counts, status, batch_id } = batch;
  const isPlan = status === 'planned' || status === 'planning' || status === 'expired';
  const choices: [BatchItemStatus, number][] = [
    ['planned', isPlan ? counts.changed : 0],
    ['waiting', counts.waiting],
    ['ok', counts.ok],
    ['error', counts.error],
    ['refused', counts.refused],
    ['unchanged', counts.unchanged],
    ['canceled', counts.canceled],
  ];
  const there = choices.filter(([is, count]) => count > 0 || is === chosen);
  if (there.length < 2 && chosen === undefined) return null;
  const href = toBatchPath(batch_id);
  return (
    <nav aria-label="Which listings" class="filter">
      <a href={buildHref(href, undefined)} aria-current={chosen === undefined ? 'true' : undefined}>
        All
      </a>
      {there.map(([is, count]) => (
        <a href={buildHref(href, is)} aria-current={is === chosen ? 'true' : undefined} key={is}>
          {toItemWord(is, batch).word}
          {/* The card of the progress shows newer numbers. */ isMoving(batch) || ` (${count})`}
        </a>
      ))}
    </nav>
  );
}

/** The result of a batch, and the available actions. */
function Ended({
  visit,
  batch,
  hasBegunPart,
  undone,
}: Pick<Props, 'visit' | 'hasBegunPart'> & Pick<BatchPage, 'batch' | 'undone'>) {
  const { batch_id, counts, status, started_at, sheet, undoes } = batch;
  const href = toBatchPath(batch_id);
  const rests = (
    [
      ['error', 'failed', counts.error],
      ['canceled', 'canceled', counts.canceled],
      ['refused', 'skipped', counts.refused],
    ] as const
  ).filter(([, , count]) => count > 0);
  // A sheet is always planned as a whole: cells that are already written change nothing.
  const offered = rests.filter(
    ([item_status]) =>
      started_at !== null && sheet === undefined && !(hasBegunPart && item_status === 'error'),
  );
  const isAgain = started_at === null ? status !== 'failed' : sheet !== undefined && rests.length > 0;
  return (
    <div class="card actions">
      <h2>{started_at === null ? 'Nothing was changed' : 'Result'}</h2>
      {started_at !== null && <p>{toResult(batch)}</p>}
      {status === 'expired' && <p>The plan was not started within 24 hours.</p>}
      {undone && (
        <p>
          <UndoneLink undone={undone} />
        </p>
      )}
      {counts.ok + counts.error > 0 && started_at !== null && undone?.is_whole !== true && (
        <div class="stack tight">
          <Action
            visit={visit}
            to={`${href}/undo`}
            label={undoes === undefined ? 'Undo…' : 'Redo…'}
            variant="quiet"
          />
          <p class="note">
            {undoes === undefined && 'Restores the old values. '}You review every value, and any fee, before
            anything changes.
          </p>
        </div>
      )}
      {hasBegunPart && (
        <p class="note">
          Some failed changes may already be on Etsy, so trying them again could apply them twice. Undo this
          change first, then make a new one.
        </p>
      )}
      {offered.map(([item_status, word, count]) => (
        <Action
          key={item_status}
          visit={visit}
          to={`${href}/again`}
          label={`Try ${formatCount(count, `${word} change`)} again…`}
          variant="quiet"
          fields={{ item_status }}
        />
      ))}
      {isAgain && <Action visit={visit} to={`${href}/again`} label="Plan again…" variant="quiet" />}
    </div>
  );
}

/** Shown if no row of a plan is selected. */
export function NoRows() {
  return (
    <Notice tone="bad">
      <p>No listing is selected. Select at least one, or discard this plan.</p>
    </Notice>
  );
}

/** Shown if the checkboxes differed from the plan when it was to be started. */
function Updated() {
  return (
    <Notice tone="wait">
      <p>The plan was updated with your selection. Nothing was changed yet. Check it, then start it.</p>
    </Notice>
  );
}

/** For a start that was refused because the fees differ from those the page showed. */
export function OtherFees() {
  return (
    <Notice tone="bad">
      <p>The fees have changed since this page was opened. Nothing was changed. Check the total again.</p>
    </Notice>
  );
}
