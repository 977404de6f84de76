import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../core/errors.js';

const MAX_DEPTH = 32;

/** Any JSON value that came from outside and was found harmless in form. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/**
 * Bytes to JSON: valid UTF-8, 32 levels deep, no NUL, no lone surrogate, no `__proto__` key (it would become a prototype
 * somewhere down the line). Throws INVALID_JSON.
 */
export function parseJsonBytes(bytes: Uint8Array): JsonValue {
  if (!isUtf8(bytes)) throw new ServiceError('INVALID_JSON', 'The body is not valid UTF-8.');
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return parseJsonText(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/** As parseJsonBytes, for text that is decoded already. */
export function parseJsonText(text: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new ServiceError('INVALID_JSON', `The body is not valid JSON${describePosition(cause)}.`);
  }
  check(value, 0, !MAY_HIDE.test(text));
  return value;
}

/** Without any of this in its text, and out of valid UTF-8, no string of a value can be refused. */
const MAY_HIDE = /\\u|__proto__|\p{Surrogate}/u;

/** Whether text may be stored and passed on: no NUL, no half of a surrogate pair. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

function check(value: JsonValue, depth: number, is_plain: boolean): void {
  if (depth > MAX_DEPTH) {
    throw new ServiceError('INVALID_JSON', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  }
  if (typeof value === 'string') {
    if (!is_plain) checkText(value);
  } else if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1, is_plain);
  } else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      if (!is_plain) checkKey(key);
      check(value[key] as JsonValue, depth + 1, is_plain);
    }
  }
}

function checkKey(key: string): void {
  if (key === '__proto__') {
    throw new ServiceError('INVALID_JSON', 'The body has a key named __proto__, which is not taken.');
  }
  checkText(key);
}

function checkText(text: string): void {
  if (isCleanText(text)) return;
  throw new ServiceError(
    'INVALID_JSON',
    'The body has a NUL character or half of a surrogate pair in a string.',
  );
}

/** The parser's message quotes the caller's text; only the position is told. */
function describePosition(cause: unknown): string {
  const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
  return position === undefined ? '' : `, near character ${position}`;
}
