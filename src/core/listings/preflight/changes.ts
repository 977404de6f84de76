import type { ListingProblem } from '../../../../schemas/issues/request_warnings.js';
import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { PlannedFile } from '../../ports/listing/target.js';
import type { Categories } from '../../shops/categories.js';
import type { Issue } from '../../../../schemas/issue.js';
import { toIssueKey } from '../../issues/issues.js';
import type { Blobs, ConnectedShop, Media } from '../../ports/index.js';
import type { Shops } from '../../shops/shops.js';
import type { Uploads } from '../../uploads/uploads.js';
import { checkRules, type PartialRequest } from '../rules/index.js';
import { checkRequired } from './attributes.js';
import { checkCategory } from './category.js';
import { createCategoryReading } from './category_reading.js';
import { listFileLimits, listInstructionLimits, toLimitIssues } from './marketplace_limits.js';
import { createMediaChecker } from './media.js';
import { checkShops } from './shops.js';
import { listRequestWarnings } from './warnings.js';

/** An existing listing before and after a change. `changed`: paths of the fields the change names. */
type ChangedRequest = {
  saved: ListingRequest;
  request: ListingRequest;
  changed: readonly string[];
  /** The shops that have these values; the listing's other shops are not checked. */
  shop_ids: readonly number[];
  account_id: string;
  /** Whether the listing is on sale in one of the shops. */
  isLive: boolean;
};

/** `shops`: by position in shops[]. `schema`: if the change needs the category. */
type CheckedChanges = {
  issues: Issue[];
  shops: (ConnectedShop | undefined)[];
  schema: CategorySchema | undefined;
  warnings: Warning[];
};

/** Applies the checks of creation to the fields a change affects. */
export type ChangeChecks = {
  /** Calls the marketplace for the category of changed values, and for ids in them that are not stored. */
  check(change: ChangedRequest): Promise<CheckedChanges>;
  /**
   * Fetches, checks and stores files. Returns them by toMediaKey.
   * @param known files of an earlier job of this listing
   */
  keepFiles(
    wanted: PartialRequest,
    account_id: string,
    known: readonly PlannedFile[],
  ): Promise<{ issues: Issue[]; warnings: Warning[]; files: Map<string, PlannedFile> }>;
};

export function createChangeChecks(ports: {
  media: Media;
  blobs: Blobs;
  shops: Shops;
  categories: Categories;
  uploads: Uploads;
  /** The year by the marketplace's calendar. */
  getYear: () => number;
}): ChangeChecks {
  const category = createCategoryReading(ports.categories);
  const mediaChecker = createMediaChecker(ports.media, ports.blobs, ports.uploads);

  return {
    async check({ saved, request, changed, shop_ids, account_id, isLive }) {
      const [was, is] = [saved, request].map((one): PartialRequest => {
        const shops = one.shops.map((target) => (shop_ids.includes(target.shop_id) ? target : undefined));
        return { ...one, shops, state: 'publish' };
      });
      if (!was || !is) throw new Error('both are there');
      const year = ports.getYear();
      const hasReferences = changed.some((path) => /^(?:shops\[|variations)/.test(path));
      const isTouched = (path: string) => isChanged(path, changed);
      const isNewCategory = changed.includes('listing.taxonomy_id');
      const needsCategory =
        isNewCategory || changed.some((path) => /^(?:variations|category_attributes)/.test(path));
      const [before, after, found] = await Promise.all([
        checkShops(was, account_id, ports.shops, false, isTouched),
        checkShops(is, account_id, ports.shops, hasReferences, isTouched),
        needsCategory ? category.inspect(account_id, is, true) : { issues: [], schema: undefined },
      ]);
      const earlier = new Set(
        [
          ...checkRules(was, year),
          ...before.issues,
          ...(found.schema && !isNewCategory ? checkCategory(was, found.schema) : []),
        ].map(toIssueKey),
      );
      const isOfChange = ({ at }: Issue) => isTouched(at);
      const isNew = (issue: Issue) => isOfChange(issue) || !earlier.has(toIssueKey(issue));
      // As on activation, requires attributes that are required by a new category or that the change removes.
      const required =
        isLive && found.schema
          ? without(checkRequired(is, found.schema), isNewCategory ? [] : checkRequired(was, found.schema))
          : [];
      const limits = toLimitIssues(listInstructionLimits(is)).filter(isOfChange);
      // With a new category, the marketplace decides about unchanged values that do not fit it.
      const misfits = isNewCategory ? found.issues.filter((issue) => !isOfChange(issue)) : [];
      return {
        issues: [
          ...checkRules(is, year).filter(isNew),
          ...after.issues.filter(isNew),
          ...found.issues.filter((issue) => isNew(issue) && !misfits.includes(issue)),
          ...required,
          ...limits,
        ],
        shops: after.shops,
        schema: found.schema,
        warnings: [
          ...misfits.map(toMisfit),
          ...listRequestWarnings(request, [], [], year).filter(({ fields }) => fields.some(isTouched)),
        ],
      };
    },

    async keepFiles(wanted, account_id, known) {
      const media = await mediaChecker.check(wanted, account_id, known);
      try {
        const issues = [...media.issues, ...toLimitIssues(listFileLimits(media.digital_files))];
        const { warnings } = media;
        return { issues, warnings, files: issues.length > 0 ? new Map() : await media.keep() };
      } finally {
        await media.discard();
      }
    },
  };
}

function without(issues: readonly Issue[], known: readonly Issue[]): Issue[] {
  const keys = new Set(known.map(toIssueKey));
  return issues.filter((issue) => !keys.has(toIssueKey(issue)));
}

/** Whether a path equals a changed path, lies within it, or contains it. */
export function isChanged(path: string, changed: readonly string[]): boolean {
  return changed.some((one) => isWithin(path, one) || isWithin(one, path));
}

function isWithin(part: string, whole: string): boolean {
  return part === whole || (part.startsWith(whole) && /^[.[]/.test(part.slice(whole.length)));
}

function toMisfit(issue: Issue): Warning {
  const reason = { code: 'not_of_category' as const, params: { problem: issue as ListingProblem } };
  return { code: 'not_of_category', fields: [issue.at], reason };
}
