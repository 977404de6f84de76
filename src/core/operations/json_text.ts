import { isUtf8 } from 'node:buffer';
import type { Fact } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';

/**
 * Limits of a JSON text. A listing with every combination of variations has 40,000 values, and no object of the API has more
 * than 200 keys.
 */
export const JSON_LIMITS = { levels: 32, keys_per_object: 1_000, values: 50_000 } as const;

/** Any JSON value from outside whose form was found harmless. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/**
 * Parses bytes as JSON: valid UTF-8, within JSON_LIMITS, no NUL, no lone surrogate, no `__proto__` key (it would become a
 * prototype somewhere down the line), no key twice in one object (the parser drops the first, and a dry_run with it). Throws
 * INVALID_JSON.
 */
export function parseJsonBytes(bytes: Uint8Array): JsonValue {
  if (!isUtf8(bytes)) throw buildRefusal({ code: 'json_not_utf8', params: {} });
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return parseJsonText(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/** The same as parseJsonBytes, for text that is already decoded. */
export function parseJsonText(text: string): JsonValue {
  const keys = checkLimits(text);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw buildRefusal({ code: 'json_invalid', params: findPosition(cause) });
  }
  if (countKeys(value) < keys) throw buildRefusal({ code: 'json_key_repeated', params: {} });
  if (MAY_HIDE.test(text)) checkStrings(value);
  return value;
}

/** A text without any of these, decoded from valid UTF-8, holds no string that could be refused. */
const MAY_HIDE = /\\u|__proto__|\p{Surrogate}/u;

/** Whether text may be stored and passed on: no NUL, no half of a surrogate pair. */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Counts before anything is built: building half a million keys takes the parser most of a second. For a text that is not
 * JSON, the parser stops where these counts stop being meaningful. An empty object or list counts as two values. Returns the
 * total number of keys.
 */
function checkLimits(text: string): number {
  const keys_at_level: number[] = [0];
  let all_keys = 0;
  let level = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = findStringEnd(text, at);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        level += 1;
        values += 1;
        if (level > JSON_LIMITS.levels) {
          throw buildTooLarge('levels', JSON_LIMITS.levels);
        }
        keys_at_level[level] = 0;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        level = Math.max(0, level - 1);
        break;
      case COLON: {
        const keys = (keys_at_level[level] ?? 0) + 1;
        keys_at_level[level] = keys;
        all_keys += 1;
        if (keys > JSON_LIMITS.keys_per_object) {
          throw buildTooLarge('keys', JSON_LIMITS.keys_per_object);
        }
        break;
      }
      case COMMA:
        values += 1;
        break;
    }
    if (values > JSON_LIMITS.values) throw buildTooLarge('values', JSON_LIMITS.values);
  }
  return all_keys;
}

/** Recurses as deep as the limits allow. */
function countKeys(value: JsonValue): number {
  if (value === null || typeof value !== 'object') return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + countKeys(item), 0);
}

/** Returns where the string that begins at `start` ends; the end of the text if it never does. */
function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  // A file in base64 has no backslash in it, and is skipped in one go.
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  for (end = start + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) return end;
    if (code === BACKSLASH) end += 1;
  }
  return text.length;
}

function buildTooLarge(of: 'levels' | 'keys' | 'values', most: number): ServiceError {
  return buildRefusal({ code: 'json_too_large', params: { of, most } });
}

function buildRefusal(problem: Fact): ServiceError {
  return new ServiceError('INVALID_JSON', problem);
}

/** Recurses as deep as the limits allow. */
function checkStrings(value: JsonValue): void {
  if (typeof value === 'string') checkText(value);
  else if (Array.isArray(value)) value.forEach(checkStrings);
  else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      if (key === '__proto__') throw buildRefusal({ code: 'json_key_forbidden', params: {} });
      checkText(key);
      checkStrings(value[key] as JsonValue);
    }
  }
}

function checkText(text: string): void {
  if (!isCleanText(text)) throw buildRefusal({ code: 'json_unstorable', params: {} });
}

/** The parser's message quotes the caller's text; only the position is reported. */
function findPosition(cause: unknown): { position?: number } {
  const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
  return position === undefined ? {} : { position: Number(position) };
}
