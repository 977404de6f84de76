import type { IssueParams } from '../../../../schemas/issue.js';
import type { Warning } from '../../../../schemas/job.js';
import { MarketplaceError, type ListingChanges } from '../../ports/index.js';
import { getRow, MADE, OPTIONAL_AT_CREATION, toRequestPath } from '../listing_fields.js';
import { callRepeatably, writeRepeatably } from '../engine/attempt.js';
import { isCutOff, toCallFailure, toStepError } from '../engine/failures.js';
import { type Publishing, getListingId } from '../engine/context.js';
import { expectTolerable } from '../engine/policy.js';
import type { PublishStep } from '../engine/step.js';

/**
 * The marketplace accepts these only at creation. It accepts the others later, processing profiles through the
 * inventory.
 */
const ONLY_AT_CREATION: ReadonlySet<string> = new Set(
  OPTIONAL_AT_CREATION.filter((field) => getRow(field).update === undefined),
);

/**
 * Sets fields that creation refused, and fields in which a found draft differs. Names fields that are refused
 * again, with the marketplace's reason.
 */
export const recoverStep: PublishStep = {
  name: 'recover',
  work: 'recover',
  needs: ['create', 'files'],
  listFieldsLeft: ({ left_out }) => left_out.map(({ field }) => field),
  isReported: ({ left_out, to_mend = [] }) => left_out.length + to_mend.length > 0,
  count: () => ({ reports: 0, calls: 0 }),
  async run(publishing) {
    const { left_out, to_mend = [] } = publishing.progress;
    const refused = left_out.map(({ field }) => field);
    const warnings = [
      ...left_out
        .filter(({ field }) => ONLY_AT_CREATION.has(field))
        .map(({ field, reason }) => buildWarning(publishing, REFUSED, [field], { reason })),
      ...to_mend
        .filter((field) => ONLY_AT_CREATION.has(field))
        .map((field) => buildWarning(publishing, DIFFERENT, [field], 'only_at_creation')),
      ...(to_mend.includes(PROFILE) ? await setProfile(publishing) : []),
      ...(await setAll(publishing, REFUSED, refused)),
      ...(await setAll(publishing, DIFFERENT, to_mend)),
    ];
    return { warnings };
  },
};

const PROFILE = 'readiness_state_id';
const REFUSED = 'refused';
const DIFFERENT = 'different';
type NotSet = IssueParams['not_set_afterwards'];

/** Writes all at once, or one by one if that is refused. */
async function setAll(
  publishing: Publishing,
  because: NotSet['because'],
  wanted: readonly string[],
): Promise<Warning[]> {
  const fields = wanted.filter((field) => field !== PROFILE && !ONLY_AT_CREATION.has(field));
  if (fields.length === 0) return [];
  const refused = await update(publishing, fields);
  if (!refused) return [];
  if (fields.length === 1) return [buildWarning(publishing, because, fields, toCallFailure(refused))];
  const warnings: Warning[] = [];
  for (const field of fields) {
    const error = await update(publishing, [field]);
    if (error) warnings.push(buildWarning(publishing, because, [field], toCallFailure(error)));
  }
  return warnings;
}

/** If the inventory step writes nothing, each offering has the profile that creation sent. */
async function setProfile(publishing: Publishing): Promise<Warning[]> {
  const { shop, draft, ports } = publishing;
  const readiness_state_id = draft.readiness_state_id ?? null;
  try {
    const inventory = await callRepeatably(publishing, () =>
      ports.marketplace.getInventory(shop, getListingId(publishing)),
    );
    if (inventory.products.every((product) => product.readiness_state_id === readiness_state_id)) return [];
    const products = inventory.products.map((product) => ({ ...product, readiness_state_id }));
    await writeRepeatably(publishing, () =>
      ports.marketplace.updateInventory(shop, getListingId(publishing), { ...inventory, products }),
    );
    return [];
  } catch (cause) {
    if (!(cause instanceof MarketplaceError) || isCutOff(cause)) {
      throw toStepError(cause, 'profile');
    }
    return [buildWarning(publishing, DIFFERENT, [PROFILE], toCallFailure(cause))];
  }
}

async function update(
  publishing: Publishing,
  fields: readonly string[],
): Promise<MarketplaceError | undefined> {
  const { shop, draft, ports } = publishing;
  const changes = Object.fromEntries(
    withMade(fields).map((field) => [field, draft[field as keyof typeof draft]]),
  ) as ListingChanges;
  try {
    await writeRepeatably(publishing, () =>
      ports.marketplace.updateListing(shop, getListingId(publishing), draft.listing_type, changes),
    );
    publishing.report(`set afterwards: ${fields.join(', ')}`);
    return undefined;
  } catch (cause) {
    return expectTolerable(publishing, cause);
  }
}

function withMade(fields: readonly string[]): string[] {
  const hasOne = MADE.some((field) => fields.includes(field));
  return [...new Set([...fields, ...(hasOne ? MADE : [])])];
}

function buildWarning(
  publishing: Publishing,
  because: NotSet['because'],
  fields: readonly string[],
  why: NotSet['why'],
): Warning {
  return {
    code: 'recovery_update_failed',
    fields: fields.map((field) => toRequestPath(field, publishing)),
    reason: { code: 'not_set_afterwards', params: { because, why } },
  };
}
