export function updateTable(
  readme: string,
  name: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void>;
