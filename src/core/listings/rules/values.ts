/**
 * The values at a rule's path (`shops[].price`, `category_attributes.*.scale_id`), each with its own path. Skips
 * missing values and nulls.
 */
export function listValues(request: unknown, rule_path: string): { path: string; value: unknown }[] {
  return walk(request, rule_path.split('.'), '');
}

function walk(at: unknown, parts: readonly string[], path: string): { path: string; value: unknown }[] {
  if (at === undefined || at === null) return [];
  const [part, ...rest] = parts;
  if (part === undefined) return [{ path, value: at }];
  if (typeof at !== 'object') return [];
  if (part === '*') return Object.entries(at).flatMap(([key, item]) => walk(item, rest, `${path}.${key}`));
  const isEach = part.endsWith('[]');
  const name = isEach ? part.slice(0, -2) : part;
  const next = Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
  const next_path = path ? `${path}.${name}` : name;
  if (!isEach) return walk(next, rest, next_path);
  if (!Array.isArray(next)) return [];
  return next.flatMap((item, index) => walk(item, rest, `${next_path}[${index}]`));
}
