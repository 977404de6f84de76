import type { CallOptions } from '../../core/ports/marketplace_call.js';
import type { Call, CallRequest } from '../http/call.js';
import type { Operation } from './operations.js';

const LIMIT = 100;
/** The marketplace returns nothing beyond this offset. */
const MAX_OFFSET = 12_000;

type WirePage<T> = { count?: number | null | undefined; results: T[] };

/** All pages of a list, in sequence. Items that move to another page during the read may appear twice. */
export async function listAllPages<T>(
  call: Call,
  operation: Operation,
  request: CallRequest,
  parse: (body: unknown) => WirePage<T>,
  options?: CallOptions,
): Promise<T[]> {
  const items: T[] = [];
  for (let offset = 0; offset <= MAX_OFFSET; offset += LIMIT) {
    const query = { ...request.query, limit: LIMIT, offset };
    const { count, results } = await call(operation, { ...request, query }, parse, options);
    items.push(...results);
    const expected = count ?? (results.length < LIMIT ? 0 : Infinity);
    if (results.length === 0 || offset + LIMIT >= expected) break;
  }
  return items;
}
