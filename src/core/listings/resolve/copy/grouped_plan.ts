import type { Warning } from '../../../../../schemas/job.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { ServiceError } from '../../../errors.js';
import { buildValidationError, moveIssue } from '../../../issues/issues.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { ListingRecord } from '../../../ports/index.js';
import type { Plan, PublishAction } from '../../../ports/listing/plan.js';
import type { Preflight } from '../../preflight/index.js';
import { applyOwnChanges, type OwnPlace } from '../../requests/own_changes.js';
import { listUnique } from '../../snapshot/difference.js';

type PlanOptions = Parameters<Preflight['buildPlan']>[1];

/**
 * Builds one plan from several requests, each for its own shops. Its warnings are those of the first request; the
 * shops of each other request have that request's. Throws like Preflight.buildPlan, with the issues of all requests.
 * @param toPath translates a path in the request at that position to the caller's path
 */
export async function buildGroupedPlan(
  preflight: Pick<Preflight, 'buildPlan'>,
  requests: readonly ListingRequest[],
  options: PlanOptions,
  toPath: (path: string, position: number) => string,
): Promise<Plan<PublishAction>> {
  const built = await Promise.allSettled(
    requests.map((request, position) =>
      preflight.buildPlan(request, { ...options, issues: position === 0 ? options.issues : [] }),
    ),
  );
  const failures = built.flatMap((outcome, position) =>
    outcome.status === 'rejected' ? [{ cause: outcome.reason as unknown, position }] : [],
  );
  const [failure] = failures;
  if (failure) {
    throw joinFailures(failures, toPath);
  }
  const [first, ...others] = built.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  );
  if (!first) throw new Error('a plan is for at least one shop');
  const otherShops = others.flatMap(({ shops, warnings }) =>
    shops.map((shop) => ({ ...shop, action: { ...shop.action, own_warnings: warnings } })),
  );
  const shops = [...first.shops, ...otherShops].map((shop, position) => ({
    ...shop,
    action: { ...shop.action, position },
  }));
  return { ...first, shops };
}

/**
 * Checks several requests as drafts, each for its own shops, and returns their warnings. Throws like
 * Preflight.checkDraft.
 */
export async function checkGroupedDraft(
  preflight: Pick<Preflight, 'checkDraft'>,
  requests: readonly ListingRequest[],
  { account_id, issues }: Pick<PlanOptions, 'account_id' | 'issues'>,
  toPath: (path: string, position: number) => string,
): Promise<Warning[]> {
  const checked = await Promise.allSettled(
    requests.map((request) => preflight.checkDraft(request, account_id)),
  );
  const failures = checked.flatMap((outcome, position) =>
    outcome.status === 'rejected' ? [{ cause: outcome.reason as unknown, position }] : [],
  );
  if (failures.length > 0 || issues.length > 0) throw joinFailures(failures, toPath, issues);
  const warnings = checked.flatMap((outcome, position) =>
    outcome.status === 'fulfilled'
      ? outcome.value.map((warning) => ({
          ...warning,
          fields: warning.fields.map((field) => toPath(field, position)),
        }))
      : [],
  );
  return listUnique(warnings);
}

/**
 * Joins the problems of all requests in one error, without duplicates. Throws the first failure that is not about a
 * request.
 */
function joinFailures(
  failures: readonly { cause: unknown; position: number }[],
  toPath: (path: string, position: number) => string,
  found: readonly Issue[] = [],
): ServiceError {
  const issues: Issue[] = [...found];
  let hint: string | undefined;
  for (const { cause, position } of failures) {
    if (!(cause instanceof ServiceError) || cause.code !== 'VALIDATION_FAILED') throw cause;
    hint ??= cause.hint;
    issues.push(...cause.issues.map((issue) => moveIssue(issue, toPath(issue.at, position))));
  }
  return buildValidationError(listUnique(issues), hint);
}

/**
 * The requests for publishing a saved listing in these shops: one for the shops without own changes, and one for
 * each distinct set of changes with which it was copied.
 */
export function listShopRequests(
  { request }: Pick<ListingRecord, 'request'>,
  publications: readonly OwnPlace[],
  shops: ListingRequest['shops'],
): ListingRequest[] {
  const groups = new Map<string, ListingRequest>();
  for (const target of shops) {
    const changes = publications.find(({ shop_id }) => shop_id === target.shop_id)?.progress.changes;
    const key = JSON.stringify(changes ?? null);
    const group = groups.get(key);
    if (group) group.shops.push(target);
    else groups.set(key, { ...applyOwnChanges(request, changes), shops: [target] });
  }
  return [...groups.values()];
}
