import { MarketplaceError } from '../../core/ports/index.js';

/** A JSON object of the wire, as it is. */
export type Wire = Record<string, unknown>;

/**
 * Reads fields out of an answer that may be anything. What is missing or of another type than the marketplace documents makes
 * the whole answer unreadable: the outcome of a write is unknown then, a read has failed.
 */
export type Reader = ReturnType<typeof createReader>;

export function createReader(is_write: boolean) {
  function fail(what: string): never {
    throw new MarketplaceError(is_write ? 'unknown' : 'unavailable', `the answer has no usable ${what}`);
  }
  function object(value: unknown, what = 'body'): Wire {
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Wire)
      : fail(what);
  }
  function array(value: unknown, what: string): unknown[] {
    return Array.isArray(value) ? value : fail(what);
  }
  return {
    object,
    /** `results` of a list answer. */
    results: (value: unknown): Wire[] =>
      array(object(value)['results'], 'results').map((item) => object(item, 'results[]')),
    list: (wire: Wire, name: string): Wire[] =>
      array(wire[name] ?? [], name).map((item) => object(item, `${name}[]`)),
    number: (wire: Wire, name: string): number => {
      const value = wire[name];
      return typeof value === 'number' && Number.isFinite(value) ? value : fail(name);
    },
    string: (wire: Wire, name: string): string => {
      const value = wire[name];
      return typeof value === 'string' ? value : fail(name);
    },
    numbers: (wire: Wire, name: string): number[] =>
      array(wire[name] ?? [], name).filter((item) => typeof item === 'number'),
    strings: (wire: Wire, name: string): string[] =>
      array(wire[name] ?? [], name).filter((item) => typeof item === 'string'),
  };
}

export function toNumberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function toStringOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
