import type { Warning } from '../../../../schemas/job.js';
import { quoteForeign } from '../../errors.js';
import { MarketplaceError, type ListingChanges } from '../../ports/index.js';
import { toRequestPath } from '../request_paths.js';
import { callRepeatably, describeFailure, toStepError } from './attempt.js';
import { getListingId, type Publishing, type Step } from './step.js';

/** The marketplace takes these at creation or not at all. */
const ONLY_AT_CREATION: ReadonlySet<string> = new Set([
  'styles',
  'is_customizable',
  'readiness_state_id',
  'processing_min',
  'processing_max',
]);

/** Sets what creation refused. What is refused again is named with the marketplace's reason. */
export const recoverStep: Step = {
  name: 'recover',
  needs: ['create', 'files'],
  isNeeded: () => true,
  async run(publishing) {
    const { left_out } = publishing.progress;
    const settable = left_out.filter(({ field }) => !ONLY_AT_CREATION.has(field));
    const lost = left_out.filter(({ field }) => ONLY_AT_CREATION.has(field));
    const warnings = lost.map(({ field, reason }) => buildWarning(publishing, field, quoteForeign(reason)));
    if (settable.length === 0) return { warnings };
    const fields = settable.map(({ field }) => field);
    const refused = await update(publishing, fields);
    if (!refused) return { warnings };
    for (const field of fields) {
      const error = fields.length === 1 ? refused : await update(publishing, [field]);
      if (error) warnings.push(buildWarning(publishing, field, describeFailure(error)));
    }
    return { warnings };
  },
};

async function update(
  publishing: Publishing,
  fields: readonly string[],
): Promise<MarketplaceError | undefined> {
  const { shop, shop_plan, ports } = publishing;
  const { draft } = shop_plan;
  const changes = Object.fromEntries(
    fields.map((field) => [field, draft[field as keyof typeof draft]]),
  ) as ListingChanges;
  try {
    await callRepeatably(publishing, () =>
      ports.marketplace.updateListing(shop, getListingId(publishing), draft.listing_type, changes),
    );
    publishing.report(`set afterwards: ${fields.join(', ')}`);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof MarketplaceError) || cause.failure === 'reconnect') {
      throw toStepError(cause, 'What creation refused could not be set afterwards');
    }
    return cause;
  }
}

function buildWarning(publishing: Publishing, field: string, why: string): Warning {
  const reason = `Refused at creation and could not be set afterwards: ${why}.`;
  return { code: 'recovery_update_failed', fields: [toRequestPath(field, publishing)], reason };
}
