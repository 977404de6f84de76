import type { Warning } from '../../../../schemas/job.js';
import type { StepName } from '../progress.js';
import { callRepeatably } from './attempt.js';
import type { Publishing } from './step.js';

/**
 * What these steps write, a listing had before it went live. Written again, it would take back what was sold since, and what the
 * seller has changed. The fields are those of the request.
 */
const LEFT: Partial<Record<StepName, readonly string[]>> = {
  inventory: ['variations'],
  attributes: ['category_attributes'],
  variation_images: ['variations.variation_images'],
  personalization: ['personalization'],
  recover: [],
};

export function isForDrafts(step: StepName): boolean {
  return LEFT[step] !== undefined;
}

/** An earlier run may have ended long ago, or a backup may have put it back: its draft may be live by now. */
export async function readAgain(publishing: Publishing): Promise<void> {
  const { listing_id, ports, shop } = publishing;
  if (listing_id === null) return;
  publishing.fresh = await callRepeatably(publishing, () => ports.marketplace.getListing(shop, listing_id));
}

export function isBehind(step: StepName, { fresh }: Publishing): boolean {
  return isForDrafts(step) && fresh !== undefined && fresh.state !== 'draft';
}

/** Says of a step that is left out what is not written. */
export function listLeft(step: StepName, { fresh, progress }: Publishing): Warning[] {
  const refused = progress.left_out.map(({ field }) => field);
  const fields = step === 'recover' ? refused : [...(LEFT[step] ?? [])];
  if (fields.length === 0) return [];
  const reason = `The listing is ${fresh?.state ?? 'no draft'} on the marketplace by now, so this was left as it is there.`;
  return [{ code: 'left_as_it_is', fields, reason }];
}
