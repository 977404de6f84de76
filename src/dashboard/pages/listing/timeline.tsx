import { Foreign } from '../../../pages/index.js';
import { Time } from '../../components/time.js';
import type { Detail } from './detail.js';
import { toStepWords } from './steps.js';

type Entry = { at: string; what: string; shop_name?: string; is_bad?: boolean };

/** What was done and when, the newest first. */
export function Timeline({ detail }: { detail: Detail }) {
  const entries = listEntries(detail);
  return (
    <section class="stack">
      <h2>What was done</h2>
      <ol class="timeline">
        {entries.map(({ at, what, shop_name, is_bad = false }) => (
          <li key={at + what + (shop_name ?? '')} data-tone={is_bad ? 'bad' : undefined}>
            <p>
              {shop_name !== undefined && (
                <>
                  <Foreign text={shop_name} />
                  {': '}
                </>
              )}
              <Foreign text={what} />
            </p>
            <p class="note">
              <Time at={at} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function listEntries({ created_at, history }: Detail): Entry[] {
  const jobs = history.jobs.flatMap((job): Entry[] => [
    {
      at: job.created_at,
      what: job.state === 'active' ? 'Asked to put it live' : 'Asked to publish it as a draft',
    },
    ...(job.completed_at === null
      ? []
      : [
          job.status === 'failed'
            ? { at: job.completed_at, what: job.error_message ?? 'Ended early', is_bad: true }
            : { at: job.completed_at, what: 'Done with that' },
        ]),
  ]);
  const steps = history.shops.flatMap(({ shop_name, steps }) =>
    steps.flatMap(({ step, done_at }) =>
      done_at === null ? [] : [{ at: done_at, what: toStepWords(step).done, shop_name }],
    ),
  );
  const entries = [{ at: created_at, what: 'Saved here' }, ...jobs, ...steps];
  // What has one time stays in the order in which it is told.
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).toReversed();
}
