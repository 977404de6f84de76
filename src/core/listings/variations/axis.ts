/**
 * The properties by which something varies: none, one (its position), or all of them. The marketplace accepts
 * nothing else.
 */
export type Axis = 'none' | 'all' | number;

/**
 * Finds the smallest axis along which `values` is constant: none before one, the first property before the second,
 * all last.
 * @param choices per row, the value of each property
 */
export function findAxis(choices: readonly (readonly string[])[], values: readonly unknown[]): Axis {
  const properties = choices[0]?.length ?? 0;
  if (new Set(values).size <= 1) return 'none';
  for (let property = 0; property < properties; property += 1) {
    if (isConstantPer(choices, values, property)) return property;
  }
  return 'all';
}

export function toPropertyIds(axis: Axis, property_ids: readonly number[]): number[] {
  if (axis === 'none') return [];
  if (axis === 'all') return [...property_ids];
  return property_ids.slice(axis, axis + 1);
}

function isConstantPer(
  choices: readonly (readonly string[])[],
  values: readonly unknown[],
  property: number,
): boolean {
  const seen = new Map<string, unknown>();
  return choices.every((choice, row) => {
    const key = choice[property] ?? '';
    if (!seen.has(key)) seen.set(key, values[row]);
    return Object.is(seen.get(key), values[row]);
  });
}
