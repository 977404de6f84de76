import { Foreign } from '../../../../pages/index.js';
import type { Detail } from '../detail.js';
import { countSteps, toStepWords } from './steps.js';

/** The progress of checking, publishing or changing a listing, shop by shop. */
export function Progress({ detail }: { detail: Detail }) {
  const { history, status, change } = detail;
  if (change && status !== 'processing') return <Changing detail={detail} change={change} />;
  const { done, total } = countSteps(history);
  const isChecking = status !== 'processing';
  return (
    <div class="stack tight">
      <p>{toSentence(detail)}</p>
      {isChecking ? (
        <progress aria-label="Checking" />
      ) : (
        <progress aria-label="Steps done" value={done} max={Math.max(1, total)} />
      )}
      {!isChecking && (
        <ul class="progress-shops">
          {history.shops.map((shop) => (
            <li key={shop.shop_id}>
              <strong>
                <Foreign text={shop.shop_name} />
              </strong>{' '}
              <span class="note">{describeShop(detail, shop)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Changing({ detail, change }: { detail: Detail; change: NonNullable<Detail['change']> }) {
  return (
    <div class="stack tight">
      <p>{toSentence(detail)}</p>
      <progress aria-label="Shops done" value={countEnded(change)} max={Math.max(1, change.length)} />
      <ul class="progress-shops">
        {change.map(({ shop_id, shop_name, status }) => (
          <li key={shop_id}>
            <strong>
              <Foreign text={shop_name ?? `shop ${shop_id}`} />
            </strong>{' '}
            <span class="note">{CHANGE_WORDS[status]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const CHANGE_WORDS: Record<NonNullable<Detail['change']>[number]['status'], string> = {
  processing: 'being changed',
  ok: 'done',
  unchanged: 'was so already',
  error: 'stopped',
};

function countEnded(change: NonNullable<Detail['change']>): number {
  return change.filter(({ status }) => status !== 'processing').length;
}

/** The progress as text, for screen readers. */
export function toSentence({ status, history, shops, change }: Detail): string {
  if (change && status !== 'processing') {
    const all = change.length;
    return `It is being changed: ${countEnded(change)} of ${all} ${all === 1 ? 'shop' : 'shops'} done.`;
  }
  if (status !== 'processing') {
    return shops.some(({ listing_id }) => listing_id !== null)
      ? 'It is being changed in its shops.'
      : 'The listing and its files are being checked. Nothing is on the marketplace yet.';
  }
  const { done, total } = countSteps(history);
  return `${done} of ${total} steps done.`;
}

function describeShop(
  { results, request }: Detail,
  { shop_id, steps }: Detail['history']['shops'][number],
): string {
  const failed = steps.find(({ status }) => status === 'failed');
  if (failed) return `stopped while ${toStepWords(failed.step).doing}`;
  const next = steps.find(({ status }) => status === 'open');
  if (!next) return 'done';
  const { doing } = toStepWords(next.step);
  const result = results.find((known) => known.shop_id === shop_id);
  if (next.step !== 'images') return doing;
  return `${doing} (${result?.images?.length ?? 0} of ${request.images?.length ?? 0})`;
}
