import type { CategorySchema } from '../../../../schemas/category.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Plan, PublishAction } from '../../ports/listing/plan.js';
import type { PlannedFile } from '../../ports/listing/target.js';
import type { Categories } from '../../shops/categories.js';
import { addNotes, buildValidationError, moveIssue, type FoundIssue } from '../../issues/issues.js';
import type { Issue, IssueCode } from '../../../../schemas/issue.js';
import type { Blobs, ConnectedShop, Media } from '../../ports/index.js';
import { buildReconnectError, type Shops } from '../../shops/shops.js';
import type { Uploads } from '../../uploads/uploads.js';
import { checkRules, cutLists, mergeIssues, withoutFound, type PartialRequest } from '../rules/index.js';
import { buildPlan } from './build_plan.js';
import { createCategoryReading } from './category_reading.js';
import { listDraftWarnings } from './warnings.js';
import { listFileLimits, listInstructionLimits, toLimitIssues } from './marketplace_limits.js';
import { createMediaChecker, type CheckedMedia, type CheckedReferences } from './media.js';
import { withPhotoPositions } from './photo_positions.js';
import { withPropertyChoices } from './property_choices.js';
import { checkShops, nameShops, withShopChoices } from './shops.js';

/** Preflight: all checks of a request before anything is written. */
export type Preflight = {
  /**
   * All issues of a body that does not match its schema: the `found` ones of the schema, and those of the parts
   * that match. Calls the marketplace only for publish and active.
   */
  explain(raw: unknown, found: readonly FoundIssue[], account_id: string): Promise<Issue[]>;
  /**
   * The `found` issues of a body that names an existing listing, with the choices for its shop ids and for ids of
   * the shops' lists.
   */
  explainChanges(raw: unknown, found: readonly FoundIssue[], account_id: string): Promise<Issue[]>;
  /**
   * The warnings that publishing would give, as far as known now, and the checks that were skipped. Throws
   * VALIDATION_FAILED with every problem, and STORE_RECONNECT_REQUIRED if that is the only one.
   */
  checkDraft(request: ListingRequest, account_id: string): Promise<Warning[]>;
  /** The warnings for a draft saved earlier. None if it has become invalid since. */
  recheckDraft(request: ListingRequest, account_id: string): Promise<Warning[]>;
  /** Like checkDraft, but returns the issues instead of throwing. Returns warnings only if there are no issues. */
  judgeDraft(request: ListingRequest, account_id: string): Promise<{ issues: Issue[]; warnings: Warning[] }>;
  /** Builds the plan of a request, and stores its files. Throws like checkDraft. */
  buildPlan(
    request: ListingRequest,
    options: {
      account_id: string;
      state: 'publish' | 'active';
      /** Files of an earlier job of this listing. */
      known_files: readonly PlannedFile[];
      /** Problems found earlier; listed together with all others. */
      issues: readonly Issue[];
      /** The hint of the error; if omitted, the usual one. */
      hint?: string;
    },
  ): Promise<Plan<PublishAction>>;
};

type Findings = {
  issues: Issue[];
  shops: (ConnectedShop | undefined)[];
  schema: CategorySchema | undefined;
  /** Paths that could not be checked, since the schema of the category is not stored here. */
  not_checked: string[];
  /** Adds the possible ids, with their names, to issues about missing or unknown ids. */
  withChoices: (issues: readonly FoundIssue[]) => Issue[];
};

export function createPreflight(ports: {
  media: Media;
  blobs: Blobs;
  shops: Shops;
  categories: Categories;
  uploads: Uploads;
  /** The year by the marketplace's calendar. */
  getYear: () => number;
}): Preflight {
  const category = createCategoryReading(ports.categories);
  const mediaChecker = createMediaChecker(ports.media, ports.blobs, ports.uploads);

  async function inspect(request: PartialRequest, account_id: string): Promise<Findings> {
    const isLiveRequest = isLive(request);
    const short = cutLists(request);
    const [found, { issues, schema, not_checked }] = await Promise.all([
      checkShops(short, account_id, ports.shops, isLiveRequest),
      category.inspect(account_id, short, isLiveRequest),
    ]);
    const withChoices = (plain: readonly FoundIssue[]) =>
      withPhotoPositions(
        withPropertyChoices(withShopChoices(nameShops(plain, found.shops), short, found), short, schema),
        short,
      );
    const limits = request.state === 'active' ? toLimitIssues(listInstructionLimits(short)) : [];
    return {
      issues: [
        ...withChoices(withoutUnconnected(checkRules(request, ports.getYear()), found)),
        ...found.issues,
        ...issues,
        ...limits,
      ],
      shops: found.shops,
      schema,
      not_checked,
      withChoices,
    };
  }

  async function inspectDraft(
    request: PartialRequest,
    account_id: string,
  ): Promise<{ inspected: Findings; files: CheckedReferences }> {
    const [inspected, files] = await Promise.all([
      inspect(request, account_id),
      mediaChecker.checkReferences(request, account_id),
    ]);
    return { inspected: { ...inspected, issues: [...inspected.issues, ...files.issues] }, files };
  }

  async function inspectAll(request: PartialRequest, account_id: string): Promise<Findings> {
    if (!isLive(request)) return (await inspectDraft(request, account_id)).inspected;
    const checking = mediaChecker.check(request, account_id, []);
    const { inspected, media } = await inspectWithMedia(request, account_id, checking);
    await media.discard();
    return inspected;
  }

  /**
   * Checks the request and its media at the same time. Waits for both even if one fails, so that no fetched files
   * stay on disk.
   */
  async function inspectWithMedia(
    request: PartialRequest,
    account_id: string,
    checking: Promise<CheckedMedia>,
  ): Promise<{ inspected: Findings; media: CheckedMedia }> {
    const [inspected, media] = await Promise.allSettled([inspect(request, account_id), checking]);
    if (inspected.status === 'fulfilled' && media.status === 'fulfilled') {
      const { issues, digital_files } = media.value;
      const limits = request.state === 'active' ? toLimitIssues(listFileLimits(digital_files)) : [];
      return {
        inspected: { ...inspected.value, issues: [...inspected.value.issues, ...issues, ...limits] },
        media: media.value,
      };
    }
    if (media.status === 'fulfilled') await media.value.discard();
    throw inspected.status === 'rejected' ? inspected.reason : (media as PromiseRejectedResult).reason;
  }

  /** The issues of a draft, or its warnings if there are none: warnings would distract from errors. */
  async function judgeDraft(
    request: ListingRequest,
    account_id: string,
  ): Promise<{ issues: Issue[]; warnings: Warning[] }> {
    const { inspected, files } = await inspectDraft(request, account_id);
    const { issues, schema, not_checked } = inspected;
    if (issues.length > 0) return { issues, warnings: [] };
    const shops = inspected.shops.filter((shop) => shop !== undefined);
    return {
      issues,
      warnings: listDraftWarnings(request, { shops, schema, not_checked, files, year: ports.getYear() }),
    };
  }

  /**
   * Adds suggestions to an issue about the category: for the name given instead of an id, or for the title if
   * nothing was given.
   */
  async function withCategories(
    issues: readonly FoundIssue[],
    request: PartialRequest,
    account_id: string,
  ): Promise<FoundIssue[]> {
    return Promise.all(
      issues.map(async (issue) => {
        const { at, given } = issue;
        if (at !== 'listing.taxonomy_id') return issue;
        const words = typeof given === 'string' ? given : (request.listing?.title ?? '');
        return addNotes(issue, await category.suggest(account_id, words, isLive(request)));
      }),
    );
  }

  return {
    async explain(raw, found, account_id) {
      const request = withoutFound(raw, found);
      const [{ issues, withChoices }, suggested] = await Promise.all([
        inspectAll(request, account_id),
        withCategories(found, request, account_id),
      ]);
      return mergeIssues(withChoices(suggested), issues);
    },

    async explainChanges(raw, found, account_id) {
      const body = withoutFound(raw, found) as PartialRequest & { changes?: PartialRequest };
      const connected = await ports.shops.listConnected(account_id);
      const explained = await Promise.all(
        found.map(async (issue) => {
          const [, prefix = '', path = ''] = /^(changes\.)?(.*)$/s.exec(issue.at) ?? [];
          const part = prefix === '' ? body : (body.changes ?? {});
          const shops = (part.shops ?? []).map((target) =>
            connected.find(({ shop_id }) => shop_id === target?.shop_id),
          );
          const known = { issues: [], shops, connected };
          const named = await withCategories([moveIssue(issue, path)], part, account_id);
          return withShopChoices(nameShops(named, shops), part, known).map((one) => moveIssue(one, issue.at));
        }),
      );
      return explained.flat();
    },

    async checkDraft(request, account_id) {
      const { issues, warnings } = await judgeDraft(request, account_id);
      if (issues.length > 0) throw buildValidationError(issues, hasStale(issues) ? STALE_HINT : undefined);
      return warnings;
    },

    judgeDraft,

    recheckDraft: async (request, account_id) => (await judgeDraft(request, account_id)).warnings,

    async buildPlan(saved, { account_id, state, known_files, issues: found, hint }) {
      const request = { ...saved, state };
      const checking = mediaChecker.check(request, account_id, known_files);
      const { inspected, media } = await inspectWithMedia(request, account_id, checking);
      try {
        const { shops, schema } = inspected;
        const issues = [...found, ...inspected.issues];
        const revoked = shops.filter((shop) => shop?.is_reconnect_required === true);
        const [first] = revoked;
        if (first && issues.length === 0) throw buildReconnectError(first);
        issues.push(...revoked.map((shop) => toReconnectIssue(request, shop)));
        if (issues.length > 0 || !schema) {
          throw buildValidationError(issues, inspected.issues.length > 0 ? hint : undefined);
        }
        const connected = shops.filter((shop) => shop !== undefined);
        const limits = [...listInstructionLimits(request), ...listFileLimits(media.digital_files)];
        const files = await media.keep();
        const { warnings } = media;
        return buildPlan({
          request,
          state,
          schema,
          shops: connected,
          files,
          limits,
          warnings,
          year: ports.getYear(),
        });
      } finally {
        await media.discard();
      }
    },
  };
}

/** Omits missing values of a shop that is not connected: its ids are unknown, and none of them could be used. */
function withoutUnconnected(
  issues: readonly Issue[],
  { issues: found }: { issues: readonly Issue[] },
): Issue[] {
  const places = found.flatMap(({ at }) => /^(shops\[\d+\])\.shop_id$/.exec(at)?.[1] ?? []);
  return issues.filter(({ at }) => !places.some((place) => at.startsWith(`${place}.`)));
}

function isLive({ state }: PartialRequest): boolean {
  return state === 'publish' || state === 'active';
}

const STALE_HINT =
  'Correct the fields named in the message. If an id is new on the marketplace, call store_sync first.';

/** Problems that syncing the shop may solve. */
const OF_STALE_SHOP: ReadonlySet<IssueCode> = new Set([
  'physical_required',
  'reference_unknown',
  'processing_profile_missing',
]);

function hasStale(issues: readonly Issue[]): boolean {
  return issues.some(({ code }) => OF_STALE_SHOP.has(code));
}

function toReconnectIssue(request: PartialRequest, shop: ConnectedShop | undefined): Issue {
  const index = (request.shops ?? []).findIndex((target) => target?.shop_id === shop?.shop_id);
  const shop_name = shop?.details.shop_name ?? '';
  return { code: 'shop_revoked', at: `shops[${index}].shop_id`, params: { shop_name } };
}
