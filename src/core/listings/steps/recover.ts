import type { IssueParams } from '../../../../schemas/issue.js';
import type { Warning } from '../../../../schemas/job.js';
import { MarketplaceError, type ListingChanges } from '../../ports/index.js';
import { getRow, MADE, OPTIONAL_AT_CREATION, toRequestPath } from '../listing_fields.js';
import { callRepeatably, writeRepeatably } from '../engine/attempt.js';
import { isCutOff, toCallFailure, toStepError } from '../engine/failures.js';
import { type Context, getListingId, getPublication } from '../engine/context.js';
import { expectTolerable } from '../engine/policy.js';
import type { Step } from '../engine/step.js';

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
export const recoverStep: Step = {
  name: 'recover',
  work: 'recover',
  needs: ['create', 'files'],
  listFieldsLeft: ({ left_out }) => left_out.map(({ field }) => field),
  isReported: ({ left_out, to_mend = [] }) => left_out.length + to_mend.length > 0,
  count: () => ({ reports: 0, calls: 0 }),
  async run(cx) {
    const { left_out, to_mend = [] } = cx.publication;
    const refused = left_out.map(({ field }) => field);
    const warnings = [
      ...left_out
        .filter(({ field }) => ONLY_AT_CREATION.has(field))
        .map(({ field, reason }) => buildWarning(cx, REFUSED, [field], { reason })),
      ...to_mend
        .filter((field) => ONLY_AT_CREATION.has(field))
        .map((field) => buildWarning(cx, DIFFERENT, [field], 'only_at_creation')),
      ...(to_mend.includes(PROFILE) ? await setProfile(cx) : []),
      ...(await setAll(cx, REFUSED, refused)),
      ...(await setAll(cx, DIFFERENT, to_mend)),
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
  cx: Context,
  because: NotSet['because'],
  wanted: readonly string[],
): Promise<Warning[]> {
  const fields = wanted.filter((field) => field !== PROFILE && !ONLY_AT_CREATION.has(field));
  if (fields.length === 0) return [];
  const refused = await update(cx, fields);
  if (!refused) return [];
  if (fields.length === 1) return [buildWarning(cx, because, fields, toCallFailure(refused))];
  const warnings: Warning[] = [];
  for (const field of fields) {
    const error = await update(cx, [field]);
    if (error) warnings.push(buildWarning(cx, because, [field], toCallFailure(error)));
  }
  return warnings;
}

/** If the inventory step writes nothing, each offering has the profile that creation sent. */
async function setProfile(cx: Context): Promise<Warning[]> {
  const { shop, ports } = cx;
  const { draft } = getPublication(cx);
  const readiness_state_id = draft.readiness_state_id ?? null;
  try {
    const inventory = await callRepeatably(cx, () => ports.marketplace.getInventory(shop, getListingId(cx)));
    if (inventory.products.every((product) => product.readiness_state_id === readiness_state_id)) return [];
    const products = inventory.products.map((product) => ({ ...product, readiness_state_id }));
    await writeRepeatably(cx, () =>
      ports.marketplace.updateInventory(shop, getListingId(cx), { ...inventory, products }),
    );
    return [];
  } catch (cause) {
    if (!(cause instanceof MarketplaceError) || isCutOff(cause)) {
      throw toStepError(cause, 'profile');
    }
    return [buildWarning(cx, DIFFERENT, [PROFILE], toCallFailure(cause))];
  }
}

async function update(cx: Context, fields: readonly string[]): Promise<MarketplaceError | undefined> {
  const { shop, ports } = cx;
  const { draft } = getPublication(cx);
  const changes = Object.fromEntries(
    withMade(fields).map((field) => [field, draft[field as keyof typeof draft]]),
  ) as ListingChanges;
  try {
    await writeRepeatably(cx, () =>
      ports.marketplace.updateListing(shop, getListingId(cx), draft.listing_type, changes),
    );
    cx.report(`set afterwards: ${fields.join(', ')}`);
    return undefined;
  } catch (cause) {
    return expectTolerable(cx, cause);
  }
}

function withMade(fields: readonly string[]): string[] {
  const hasOne = MADE.some((field) => fields.includes(field));
  return [...new Set([...fields, ...(hasOne ? MADE : [])])];
}

function buildWarning(
  cx: Context,
  because: NotSet['because'],
  fields: readonly string[],
  why: NotSet['why'],
): Warning {
  return {
    code: 'recovery_update_failed',
    fields: fields.map((field) => toRequestPath(field, getPublication(cx))),
    reason: { code: 'not_set_afterwards', params: { because, why } },
  };
}
