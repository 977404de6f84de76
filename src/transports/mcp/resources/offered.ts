import type { Operation } from '../../../core/operation.js';
import { RESOURCES, type Resource } from './catalogue.js';

/** A resource together with the operation that reads it. */
export type OfferedResource = Resource & {
  operation: Operation;
  /** The parameters of an address of this resource, decoded; undefined for any other address. */
  match(uri: string): Record<string, string> | undefined;
};

/** Those of which this server has the operation. */
export function listOffered(operations: readonly Operation[]): OfferedResource[] {
  return RESOURCES.flatMap((resource) => {
    const operation = operations.find(({ id }) => id === resource.operation_id);
    return operation ? [{ ...resource, operation, match: buildMatch(resource.uri) }] : [];
  });
}

function buildMatch(template: string): OfferedResource['match'] {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')}$`);
  return (uri) => {
    const found = pattern.exec(uri);
    if (!found) return undefined;
    try {
      const entries = Object.entries(found.groups ?? {});
      return Object.fromEntries(entries.map(([name, text]) => [name, decodeURIComponent(text)]));
    } catch {
      // A broken percent-encoding is the address of nothing.
      return undefined;
    }
  };
}
