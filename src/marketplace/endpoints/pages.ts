import type { CallOptions } from '../../core/ports/marketplace_call.js';
import type { Call, CallRequest } from '../http/call.js';
import type { Operation } from './operations.js';

const LIMIT = 100;
/** The marketplace answers nothing beyond. */
const MAX_OFFSET = 12_000;

type WirePage<T> = { count?: number | null | undefined; results: T[] };

/** All pages of a list, one after the other. What moves to another page in the meantime can come twice. */
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
