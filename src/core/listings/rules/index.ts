import type { Issue } from '../../errors.js';
import type { Bounds } from '../../operation.js';
import { FIELD_RULES, type FieldRule } from './field_rules.js';
import type { PartialRequest } from './partial.js';
import { REQUEST_RULES } from './request_rules.js';
import { checkVariations } from './variation_rules.js';

export type { PartialRequest } from './partial.js';
export { withoutPaths } from './partial.js';

/** What the advertised schema says of lengths, counts and bounds: the same table that refuses. */
export const listingBounds: Bounds = Object.fromEntries(
  FIELD_RULES.flatMap(({ path, bounds }) => (bounds ? [[path, bounds]] : [])),
);

/** Everything about a request that can be told without asking anyone: all problems at once. */
export function checkRules(request: PartialRequest): Issue[] {
  return [
    ...FIELD_RULES.flatMap((rule) => applyRule(rule, request)),
    ...REQUEST_RULES.flatMap((rule) => rule(request)),
    ...checkVariations(request),
  ];
}

function applyRule(rule: FieldRule, request: PartialRequest): Issue[] {
  return listValues(request, rule.path.split('.'), '').flatMap(({ path, value }) => {
    const message = rule.check(value as never);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** The values at a rule's path, with their own paths; absent and null ones are nobody's business. */
function listValues(at: unknown, parts: readonly string[], path: string): { path: string; value: unknown }[] {
  if (at === undefined || at === null) return [];
  const [part, ...rest] = parts;
  if (part === undefined) return [{ path, value: at }];
  const isEach = part.endsWith('[]');
  const name = isEach ? part.slice(0, -2) : part;
  const next =
    typeof at === 'object' && Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
  const nextPath = path ? `${path}.${name}` : name;
  if (!isEach) return listValues(next, rest, nextPath);
  if (!Array.isArray(next)) return [];
  return next.flatMap((item, index) => listValues(item, rest, `${nextPath}[${index}]`));
}
