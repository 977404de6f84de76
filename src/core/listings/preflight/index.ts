import type { CategorySchema } from '../../../../schemas/category.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Categories } from '../../categories.js';
import { formatChoices } from '../../choices.js';
import { buildValidationError, cleanForeign, ServiceError, type Issue } from '../../errors.js';
import { MarketplaceError, type ConnectedShop, type Media } from '../../ports/index.js';
import { buildReconnectError, type Stores } from '../../stores.js';
import type { Uploads } from '../../uploads.js';
import type { PlannedFile, PublishPlan } from '../plan.js';
import { checkRules, cutLists, mergeIssues, type PartialRequest } from '../rules/index.js';
import { buildPlan } from './build_plan.js';
import { checkCategory, withPropertyChoices } from './category.js';
import { createMediaChecker, type CheckedMedia } from './media.js';
import { checkShops, withShopChoices } from './shops.js';

/** Everything that is checked before anything is written. */
export type Preflight = {
  /**
   * All that is wrong with a request whose types are wrong somewhere: what its schema found, and what is wrong with the rest.
   * Asks the marketplace only for publish and active.
   */
  explain(request: PartialRequest, found: readonly Issue[], account_id: string): Promise<Issue[]>;
  /** Throws VALIDATION_FAILED with every problem, STORE_RECONNECT_REQUIRED when that is the only one. */
  checkDraft(request: ListingRequest, account_id: string): Promise<void>;
  /** The plan of a request that is right; its files are kept. Throws as checkDraft does. */
  buildPlan(
    request: ListingRequest,
    options: {
      account_id: string;
      state: 'publish' | 'active';
      /** Files of an earlier job of this listing. */
      known_files: readonly PlannedFile[];
      /** What others have found; told together with everything else. */
      issues: readonly Issue[];
    },
  ): Promise<PublishPlan>;
};

type Findings = {
  issues: Issue[];
  shops: (ConnectedShop | undefined)[];
  schema: CategorySchema | undefined;
  /** Adds the ids that there are, with their names, to what is said about ids that are missing or are none. */
  withChoices: (issues: readonly Issue[]) => Issue[];
};

export function createPreflight(ports: {
  media: Media;
  stores: Stores;
  categories: Categories;
  uploads: Uploads;
}): Preflight {
  const { stores, categories } = ports;
  const mediaChecker = createMediaChecker(ports.media, ports.uploads);

  async function inspect(request: PartialRequest, account_id: string): Promise<Findings> {
    const is_live = request.state === 'publish' || request.state === 'active';
    const short = cutLists(request);
    const [found, category] = await Promise.all([
      checkShops(short, account_id, stores, is_live),
      inspectCategory(short, is_live),
    ]);
    const { schema } = category;
    const withChoices = (issues: readonly Issue[]) =>
      withPropertyChoices(withShopChoices(issues, short, found), short, schema);
    return {
      issues: [...withChoices(checkRules(request)), ...found.issues, ...category.issues],
      shops: found.shops,
      schema,
      withChoices,
    };
  }

  async function inspectCategory(
    request: PartialRequest,
    is_live: boolean,
  ): Promise<{ issues: Issue[]; schema: CategorySchema | undefined }> {
    const id = request.listing?.taxonomy_id;
    if (id === undefined || id < 1) return { issues: [], schema: undefined };
    const refuse = (advice: string) => {
      const message = `is ${id}, which is no category of the marketplace; ${advice}`;
      return { issues: [{ path: 'listing.taxonomy_id', message }], schema: undefined };
    };
    try {
      const schema = await (is_live ? categories.getSchema(id) : categories.findKeptSchema(id));
      if (!schema) return (await categories.isKnownMissing(id)) ? refuse(SEARCH) : { issues: [], schema };
      return { issues: checkCategory(request, schema), schema };
    } catch (cause) {
      if (!(cause instanceof ServiceError) || cause.code !== 'CATEGORY_NOT_FOUND') throw cause;
      return refuse(await suggestCategories(request));
    }
  }

  /** What the title speaks of, where the tree can be had: a seller knows no category ids. */
  async function suggestCategories({ listing }: PartialRequest): Promise<string> {
    try {
      const { categories: found } = await categories.search({ keywords: listing?.title ?? '', limit: 10 });
      const leaves = found.filter(({ is_leaf }) => is_leaf).slice(0, 3);
      if (leaves.length === 0) return SEARCH;
      const known = leaves.map(({ category_id, full_path }) => ({ id: category_id, name: full_path }));
      return `by its title perhaps ${formatChoices(known)}; ${SEARCH}`;
    } catch (cause) {
      if (!(cause instanceof MarketplaceError)) throw cause;
      return SEARCH;
    }
  }

  async function inspectDraft(request: PartialRequest, account_id: string): Promise<Findings> {
    const [inspected, media_issues] = await Promise.all([
      inspect(request, account_id),
      mediaChecker.checkReferences(request, account_id),
    ]);
    return { ...inspected, issues: [...inspected.issues, ...media_issues] };
  }

  async function inspectAll(request: PartialRequest, account_id: string): Promise<Findings> {
    const is_live = request.state === 'publish' || request.state === 'active';
    if (!is_live) return inspectDraft(request, account_id);
    const checking = mediaChecker.check(request, account_id, []);
    const { inspected, media } = await inspectWithMedia(request, account_id, checking);
    await media.discard();
    return { ...inspected, issues: [...inspected.issues, ...media.issues] };
  }

  /** Both, whichever fails: what was fetched meanwhile must not stay on the disk. */
  async function inspectWithMedia(
    request: PartialRequest,
    account_id: string,
    checking: Promise<CheckedMedia>,
  ): Promise<{ inspected: Findings; media: CheckedMedia }> {
    const [inspected, media] = await Promise.allSettled([inspect(request, account_id), checking]);
    if (inspected.status === 'fulfilled' && media.status === 'fulfilled') {
      return { inspected: inspected.value, media: media.value };
    }
    if (media.status === 'fulfilled') await media.value.discard();
    throw inspected.status === 'rejected' ? inspected.reason : (media as PromiseRejectedResult).reason;
  }

  return {
    async explain(request, found, account_id) {
      const { issues, withChoices } = await inspectAll(request, account_id);
      return mergeIssues(withChoices(found), issues);
    },

    async checkDraft(request, account_id) {
      const { issues } = await inspectDraft(request, account_id);
      if (issues.length > 0) throw buildValidationError(issues, hasStale(issues) ? STALE_HINT : undefined);
    },

    async buildPlan(saved, { account_id, state, known_files, issues: found }) {
      const request = { ...saved, state };
      const checking = mediaChecker.check(request, account_id, known_files);
      const { inspected, media } = await inspectWithMedia(request, account_id, checking);
      try {
        const { shops, schema } = inspected;
        const issues = [...found, ...inspected.issues, ...media.issues];
        const revoked = shops.filter((shop) => shop?.is_reconnect_required === true);
        const [first] = revoked;
        if (first && issues.length === 0) throw buildReconnectError(first);
        issues.push(...revoked.map((shop) => toReconnectIssue(request, shop)));
        if (issues.length > 0 || !schema) throw buildValidationError(issues);
        const connected = shops.filter((shop) => shop !== undefined);
        return buildPlan({ request, state, schema, shops: connected, files: await media.keep() });
      } finally {
        await media.discard();
      }
    },
  };
}

const SEARCH = 'categories_search finds one by words';

const STALE_HINT =
  'Correct the fields named in the message. If an id is new on the marketplace, call store_sync first.';

function hasStale(issues: readonly Issue[]): boolean {
  return issues.some(({ message }) => message.includes('store_sync'));
}

function toReconnectIssue(request: PartialRequest, shop: ConnectedShop | undefined): Issue {
  const index = (request.shops ?? []).findIndex((target) => target?.shop_id === shop?.shop_id);
  const name = cleanForeign(shop?.details.shop_name ?? '');
  return {
    path: `shops[${index}].shop_id`,
    message: `has to be connected again (${name}): the marketplace no longer accepts its grant`,
  };
}
