import { formatCount } from '../../../core/text/format_count.js';
import { toResult, type Batch } from './words.js';

/** The progress of a batch. */
export function Progress({ batch }: { batch: Batch }) {
  const { status, counts, selected } = batch;
  const isPlanning = status === 'planning';
  const done = counts.ok + counts.error + counts.canceled;
  return (
    <div class="stack tight">
      <p>{toSentence(batch)}</p>
      <progress
        aria-label={isPlanning ? 'Listings read' : 'Changes made'}
        value={isPlanning ? counts.listings : done}
        max={Math.max(1, isPlanning ? selected : done + counts.waiting)}
      />
    </div>
  );
}

export function toSentence(batch: Batch): string {
  const { status, reason, counts, selected } = batch;
  const result = toResult(batch);
  switch (status) {
    case 'planning':
      return `${counts.listings} of ${formatCount(selected, 'listing')} read. Nothing has changed yet.`;
    case 'paused':
      return reason === 'limits'
        ? `Paused until Etsy’s daily limit allows more requests. Continues automatically: ${result}.`
        : `Paused until you reconnect the shop. Continues automatically: ${result}.`;
    default:
      return `${result}. You can close this page.`;
  }
}
