import type { Warning } from '../../../../../schemas/job.js';
import { callRepeatably } from './attempt.js';
import type { Publishing, Step } from './step.js';

/** An earlier run may have ended long ago, or a backup may have put it back: its draft may be live by now. */
export async function readAgain(publishing: Publishing): Promise<void> {
  const { listing_id, ports, shop } = publishing;
  if (listing_id === null) return;
  publishing.fresh_asked_ms = ports.clock.monotonic();
  publishing.fresh = await callRepeatably(publishing, () => ports.marketplace.getListing(shop, listing_id));
}

/** Whether a step is left out, since its writes are for drafts and the listing is none any more. */
export function isBehind({ listLeft }: Step, { fresh }: Publishing): boolean {
  return listLeft !== undefined && fresh !== undefined && fresh.state !== 'draft';
}

/** Says of a step that is left out what is not written. */
export function buildLeft({ listLeft }: Step, { fresh, progress }: Publishing): Warning[] {
  const fields = [...(listLeft?.(progress) ?? [])];
  if (fields.length === 0) return [];
  const reason = `The listing is ${fresh?.state ?? 'no draft'} on the marketplace by now, so this was left as it is there.`;
  return [{ code: 'left_as_it_is', fields, reason }];
}
