import { ConfigError } from '../config.js';
import type { Operation } from '../core/operations/operation.js';

type Choosable = Pick<Operation, 'id' | 'tag' | 'effect'>;

/**
 * The tools that assistants are offered: the operations that TOOLS names, by id or by tag; on a read-only
 * server only those that read. Throws a ConfigError for a name that is neither, and if no tool is left.
 */
export function chooseTools<Named extends Choosable>(
  operations: readonly Named[],
  { tools, read_only }: { tools: readonly string[] | undefined; read_only: boolean },
): Named[] {
  const groups = [...new Set(operations.map(toGroup))];
  const known = new Set([...groups, ...operations.map(({ id }) => id)]);
  const unknown = (tools ?? []).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const ids = operations.map(({ id }) => id).join(', ');
    throw new ConfigError(
      `TOOLS must be names separated by commas, without ${unknown.join(', ')}. Groups: ${groups.join(', ')}. Tools: ${ids}.`,
    );
  }
  const named = operations.filter(
    (operation) => !tools || tools.includes(operation.id) || tools.includes(toGroup(operation)),
  );
  const offered = named.filter(({ effect }) => !read_only || effect === 'read');
  if (offered.length === 0) {
    throw new ConfigError('TOOLS must name at least one read-only tool while READ_ONLY is on.');
  }
  return offered;
}

/** Turns `Images & Media` into `images-media`. */
function toGroup({ tag }: Choosable): string {
  return tag.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
