import type { ImportResult } from '../../../../../schemas/import.js';
import type { ShopResult } from '../../../../../schemas/job.js';
import { renderFactForSeller, writeText } from '../../../../core/issues/render.js';
import type { JobChange } from '../../../../core/listings/verbs/changes.js';
import type { ConnectedShop } from '../../../../core/ports/index.js';
import { Foreign, renderPart } from '../../../../pages/index.js';
import { Action } from '../../../components/action.js';
import { Badge } from '../../../components/badge.js';
import { Live, ReloadWithoutScripts } from '../../../components/live.js';
import { PageHead } from '../../../components/page_head.js';
import { Notice } from '../../../components/notice.js';
import { Dashboard } from '../../../layout.js';
import type { LiveStreams } from '../../../live_streams.js';
import type { Framing, OwnVisit, Page } from '../../../page.js';
import { redirect } from '../../../replies.js';
import { toBringInPath, toListingPath } from '../../../routes.js';
import { buildListingsHref } from '../../listings_query.js';
import { listKept } from '../../shops/kept.js';
import { Cancel } from './cancel.js';
import {
  hasFailed,
  isCanceled,
  toJobResult,
  toJobStatusWord,
  toJobTitle,
  toResultWord,
  type ShopChange,
} from './words.js';
import { findJobUndo, PATH, toBatchPath, toJobPath } from '../read.js';
import { UndoneLink } from '../../../components/undone.js';
import { Differences } from '../values.js';
import { createNameStarter, Made } from '../who.js';

/** The job in the path; undefined if it belongs to a batch. Throws JOB_NOT_FOUND. */
export async function getJobChange({ core, account_id, params }: OwnVisit): Promise<JobChange | undefined> {
  return core.listings.getChange(account_id, params['job_id'] ?? '');
}

/** One change of one listing, or an import: who started it, what it changed, and the available actions. */
export const jobChange: Page = {
  path: '/changes/jobs/{job_id}',
  async get(visit) {
    const job = await getJobChange(visit);
    if (!job) return redirect(await findBatchPath(visit));
    const [nameStarter, connected] = await Promise.all([createNameStarter(visit), listKept(visit)]);
    const isOpen = job.kind === 'publish' && (await isUnfinished(visit, job));
    return <Job {...{ visit, job, connected, isOpen }} who={nameStarter(job.started_by)} />;
  },
};

export function createJobEvents(streams: LiveStreams): Page {
  return {
    path: '/changes/jobs/{job_id}/events',
    async get(visit) {
      await getJobChange(visit);
      return streams(visit, async () => {
        const job = await getJobChange(visit);
        if (job?.status !== 'processing') return undefined;
        return { html: renderPart(<Progress job={job} />), sentence: toJobResult(job) };
      });
    },
  };
}

async function findBatchPath({ core, account_id, params }: OwnVisit): Promise<string> {
  const { batch } = (await core.listings.getJob(account_id, params['job_id'] ?? '')) as {
    batch?: { batch_id?: string };
  };
  return batch?.batch_id === undefined ? PATH : toBatchPath(batch.batch_id);
}

/** Whether publishing the listing again would finish the rest of this job. */
async function isUnfinished({ core, account_id }: OwnVisit, job: ShopChange): Promise<boolean> {
  const listing = await core.listings.peek(account_id, { listing_pk: job.listing_pk });
  return listing.status === 'incomplete' && listing.job_id === job.job_id;
}

type Props = {
  visit: Framing;
  job: JobChange;
  connected: readonly ConnectedShop[];
  who: string | undefined;
  isOpen: boolean;
};

function Job({ visit, job, connected, who, isOpen }: Props) {
  const title = toJobTitle(job);
  const { tone, word } = toJobStatusWord(job);
  const isRunning = job.status === 'processing';
  return (
    <Dashboard
      visit={visit}
      title={title}
      section="Changes"
      scripts={isRunning ? ['live'] : []}
      head={isRunning && <ReloadWithoutScripts />}
    >
      <PageHead
        up={{ href: PATH, name: 'Changes' }}
        title={title}
        badge={<Badge tone={tone}>{word}</Badge>}
        note={<Made who={who} at={job.created_at} />}
      />
      {job.error_message && !(isRunning && isCanceled(job)) && (
        <Notice tone={isCanceled(job) ? 'idle' : 'bad'}>
          <p>
            <Foreign text={writeText(renderFactForSeller(job.error_message))} />
          </p>
        </Notice>
      )}
      <div class="columns">
        <aside class="stack" aria-label="State and actions">
          {isRunning ? (
            <div class="card">
              <h2>In progress</h2>
              <Live href={`${toJobPath(job.job_id)}/events`} sentence={toJobResult(job)}>
                <Progress job={job} />
              </Live>
              <Cancel visit={visit} job={job} />
            </div>
          ) : (
            <Ended visit={visit} job={job} isOpen={isOpen} />
          )}
        </aside>
        <section class="stack">
          <h2>What changed</h2>
          {job.kind === 'import' ? (
            <Imported results={job.results} />
          ) : (
            <InShops results={job.results} connected={connected} />
          )}
        </section>
      </div>
    </Dashboard>
  );
}

function Progress({ job }: { job: JobChange }) {
  const done = (job.results as readonly { status: string }[]).filter(({ status }) => status !== 'processing');
  return (
    <div class="stack tight">
      <p>{toJobResult(job)}</p>
      <progress aria-label="Done" value={done.length} max={Math.max(1, job.results.length)} />
    </div>
  );
}

/** The result of a job, and the available actions. */
function Ended({ visit, job, isOpen }: Pick<Props, 'visit' | 'job' | 'isOpen'>) {
  return (
    <div class="card actions">
      <h2>Result</h2>
      <p>{toJobResult(job)}</p>
      {job.kind === 'import' ? (
        <>
          {hasFailed(job) && job.shop_id !== undefined && (
            <Action
              visit={visit}
              to={toBringInPath(job.shop_id)}
              label="Bring in the rest"
              variant="quiet"
              repeated={job.results.flatMap(({ status, listing_id }) =>
                status === 'error' ? [['listing', `${listing_id}`] as const] : [],
              )}
            />
          )}
          {job.results.some(({ listing_pk }) => listing_pk !== undefined) && (
            <p>
              <a href={buildListingsHref({ shop_id: job.shop_id })}>Show listings</a>
            </p>
          )}
        </>
      ) : (
        <ShopActions visit={visit} job={job} isOpen={isOpen} />
      )}
    </div>
  );
}

function ShopActions({ visit, job, isOpen }: { visit: Framing; job: ShopChange; isOpen: boolean }) {
  const { kind, state, listing_pk, results, job_id } = job;
  const href = toListingPath(listing_pk);
  const undone = findJobUndo(job);
  const canUndo =
    kind !== 'publish' &&
    kind !== 'on_sale' &&
    undone?.is_whole !== true &&
    results.some(({ status }) => status === 'ok');
  return (
    <>
      {cost(job)}
      {undone && (
        <p>
          <UndoneLink undone={undone} />
        </p>
      )}
      {isOpen &&
        (state === 'active' ? (
          <a class="button" href={`${href}/put-live`}>
            Finish the rest…
          </a>
        ) : (
          <Action visit={visit} to={`${href}/publish`} label="Finish the rest" />
        ))}
      {canUndo && (
        <div class="stack tight">
          <a class="button quiet" href={`${toJobPath(job_id)}/undo`}>
            Undo…
          </a>
          <p class="note">The next page shows the old values before they are restored.</p>
        </div>
      )}
      <p>
        <a href={href}>Open the listing</a>
      </p>
    </>
  );
}

function cost({ cost_usd }: JobChange) {
  return cost_usd !== null && cost_usd > 0 && <p class="note">Fees paid: ${cost_usd.toFixed(2)}</p>;
}

function InShops({
  results,
  connected,
}: {
  results: readonly ShopResult[];
  connected: readonly ConnectedShop[];
}) {
  return (
    <ul class="lines">
      {results.map((result) => {
        const { shop_id, shop_name = 'A shop', error, diff = [], pending = [] } = result;
        const shop = connected.find((known) => String(known.shop_id) === shop_id);
        const { tone, word } = toResultWord(result);
        return (
          <li key={shop_id} class="stack tight">
            <p class="row">
              <strong>
                <Foreign text={shop_name} />
              </strong>
              <Badge tone={tone}>{word}</Badge>
            </p>
            {error && (
              <p>
                <Foreign text={writeText(renderFactForSeller(error))} />
              </p>
            )}
            <Differences diff={diff} shop={shop} />
            {pending.length > 0 && <p class="note">Saved until the listing has stock:</p>}
            <Differences diff={pending} shop={shop} />
          </li>
        );
      })}
    </ul>
  );
}

function Imported({ results }: { results: readonly ImportResult[] }) {
  return (
    <ul class="lines">
      {results.map((result) => {
        const { listing_id, listing_pk, title, error, differences = [] } = result;
        const { tone, word } = toResultWord(result);
        const name = <Foreign text={title ?? 'A listing'} />;
        return (
          <li key={listing_id} class="stack tight">
            <p class="row">
              {listing_pk === undefined ? name : <a href={toListingPath(listing_pk)}>{name}</a>}
              <Badge tone={tone}>{word}</Badge>
            </p>
            {error && (
              <p>
                <Foreign text={writeText(renderFactForSeller(error))} />
              </p>
            )}
            <Differences
              diff={differences.map(({ field, ours, theirs }) => ({ field, before: ours, after: theirs }))}
              shop={undefined}
            />
          </li>
        );
      })}
    </ul>
  );
}
