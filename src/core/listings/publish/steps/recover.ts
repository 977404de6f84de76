import type { Warning } from '../../../../../schemas/job.js';
import { quoteForeign } from '../../../errors.js';
import { MarketplaceError, type ListingChanges } from '../../../ports/index.js';
import { getRow, MADE, OPTIONAL_AT_CREATION } from '../../listing_fields.js';
import { toRequestPath } from '../../requests/request_paths.js';
import { describeFailure, toStepError, isCutOff, writeRepeatably } from './attempt.js';
import { readInventory } from './inventory.js';
import { getListingId, type Publishing, type Step } from './step.js';

/** The marketplace takes these at creation or not at all; of the rest, processing profiles through the inventory. */
const ONLY_AT_CREATION: ReadonlySet<string> = new Set(
  OPTIONAL_AT_CREATION.filter((field) => getRow(field).update === undefined),
);

/** Sets what creation refused, and what a draft that was found again has otherwise. What is refused is named with the marketplace's reason. */
export const recoverStep: Step = {
  name: 'recover',
  needs: ['create', 'files'],
  isNeeded: () => true,
  listLeft: ({ left_out }) => left_out.map(({ field }) => field),
  isTold: ({ left_out, to_mend = [] }) => left_out.length + to_mend.length > 0,
  countReports: () => 0,
  countCalls: () => 0,
  async run(publishing) {
    const { left_out, to_mend = [] } = publishing.progress;
    const refused = left_out.map(({ field }) => field);
    const warnings = [
      ...left_out
        .filter(({ field }) => ONLY_AT_CREATION.has(field))
        .map(({ field, reason }) => buildWarning(publishing, REFUSED, [field], quoteForeign(reason))),
      ...to_mend
        .filter((field) => ONLY_AT_CREATION.has(field))
        .map((field) =>
          buildWarning(publishing, DIFFERENT, [field], 'the marketplace takes it at creation alone'),
        ),
      ...(to_mend.includes(PROFILE) ? await setProfile(publishing) : []),
      ...(await setAll(publishing, REFUSED, refused)),
      ...(await setAll(publishing, DIFFERENT, to_mend)),
    ];
    return { warnings };
  },
};

const PROFILE = 'readiness_state_id';
const REFUSED = 'Refused at creation';
const DIFFERENT = 'Otherwise in the draft that was found again';
/** What a warning tells of is not left to publish: the step is done. */
const MENDED_BY = 'listing_update';

/** Together, and one by one where that is refused. */
async function setAll(publishing: Publishing, why: string, wanted: readonly string[]): Promise<Warning[]> {
  const fields = wanted.filter((field) => field !== PROFILE && !ONLY_AT_CREATION.has(field));
  if (fields.length === 0) return [];
  const refused = await update(publishing, fields);
  if (!refused) return [];
  if (fields.length === 1)
    return [buildWarning(publishing, why, fields, describeFailure(refused, MENDED_BY))];
  const warnings: Warning[] = [];
  for (const field of fields) {
    const error = await update(publishing, [field]);
    if (error) warnings.push(buildWarning(publishing, why, [field], describeFailure(error, MENDED_BY)));
  }
  return warnings;
}

/** Where the inventory step writes none, each offering has the profile that creation sent. */
async function setProfile(publishing: Publishing): Promise<Warning[]> {
  const { shop, shop_plan, ports } = publishing;
  const readiness_state_id = shop_plan.draft.readiness_state_id ?? null;
  try {
    const inventory = await readInventory(publishing);
    if (inventory.products.every((product) => product.readiness_state_id === readiness_state_id)) return [];
    const products = inventory.products.map((product) => ({ ...product, readiness_state_id }));
    await writeRepeatably(publishing, () =>
      ports.marketplace.updateInventory(shop, getListingId(publishing), { ...inventory, products }),
    );
    return [];
  } catch (cause) {
    if (!(cause instanceof MarketplaceError) || isCutOff(cause)) {
      throw toStepError(cause, 'The processing profile could not be set again');
    }
    return [buildWarning(publishing, DIFFERENT, [PROFILE], describeFailure(cause, MENDED_BY))];
  }
}

async function update(
  publishing: Publishing,
  fields: readonly string[],
): Promise<MarketplaceError | undefined> {
  const { shop, shop_plan, ports } = publishing;
  const { draft } = shop_plan;
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
    if (!(cause instanceof MarketplaceError) || isCutOff(cause)) {
      throw toStepError(cause, 'What creation did not bring could not be set afterwards');
    }
    return cause;
  }
}

function withMade(fields: readonly string[]): string[] {
  const hasOne = MADE.some((field) => fields.includes(field));
  return [...new Set([...fields, ...(hasOne ? MADE : [])])];
}

function buildWarning(publishing: Publishing, what: string, fields: readonly string[], why: string): Warning {
  const reason = `${what} and could not be set afterwards: ${why}.`;
  const paths = fields.map((field) => toRequestPath(field, publishing));
  return { code: 'recovery_update_failed', fields: paths, reason };
}
