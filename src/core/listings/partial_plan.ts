import type { ListingRequest } from '../../../schemas/listing_request.js';
import { buildValidationError, ServiceError } from '../errors.js';
import type { PublishPlan } from './plan.js';
import type { Preflight } from './preflight/index.js';

/** The plan of some of a request's shops: what is said of a shop names it where the whole request does. Throws as Preflight.buildPlan. */
export async function buildPartialPlan(
  preflight: Pick<Preflight, 'buildPlan'>,
  request: ListingRequest,
  shop_ids: ReadonlySet<number>,
  options: Parameters<Preflight['buildPlan']>[1],
): Promise<PublishPlan> {
  const positions = request.shops.flatMap(({ shop_id }, index) => (shop_ids.has(shop_id) ? [index] : []));
  if (positions.length === request.shops.length) return preflight.buildPlan(request, options);
  const shops = request.shops.filter(({ shop_id }) => shop_ids.has(shop_id));
  const withPosition = (path: string) =>
    path.replace(/^shops\[(\d+)\]/, (_all, index) => `shops[${positions[Number(index)]}]`);
  const withPositions = <Told extends { fields: string[] }>(warnings: readonly Told[]): Told[] =>
    warnings.map((warning) => ({ ...warning, fields: warning.fields.map(withPosition) }));
  try {
    const plan = await preflight.buildPlan({ ...request, shops }, options);
    return {
      ...plan,
      warnings: withPositions(plan.warnings),
      shops: plan.shops.map((shop, index) => ({
        ...shop,
        position: positions[index] ?? index,
        warnings: withPositions(shop.warnings),
      })),
    };
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.issues.length === 0) throw cause;
    const issues = cause.issues.map((issue) => ({ ...issue, path: withPosition(issue.path) }));
    throw buildValidationError(issues, cause.hint);
  }
}
