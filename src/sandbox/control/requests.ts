import { buildRefusal } from '../requests/refusal.js';
import { DEFAULT_SETTINGS } from '../settings.js';
import type { Settings } from '../settings.js';
import { DOUBLE_ANSWERS } from '../requests/faults.js';
import type { FaultRule } from '../requests/faults.js';

const ACTIONS = [
  'status',
  'reset',
  'commit_then_reset',
  'commit_then_status',
  'slow',
  'commit_then_slow',
  'stall',
  'double',
];
const RULE_KEYS: ReadonlySet<string> = new Set([
  'operation',
  'method',
  'path',
  'shop_id',
  'after',
  'times',
  'probability',
  'action',
]);

export type JsonObject = Record<string, unknown>;

export function parseObject(value: unknown): JsonObject {
  if (!isObject(value)) throw buildRefusal(400, 'The body must be a JSON object.');
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseId(body: JsonObject, name: string): number {
  const value = body[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw buildRefusal(400, `${name} must be an integer.`);
  }
  return value;
}

/** A misspelled name would silently do nothing. */
export function refuseUnknown(body: JsonObject, names: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) throw buildRefusal(400, `There is no ${unknown} here.`);
}

export function parseList(body: JsonObject, name: string): unknown[] {
  const value = body[name];
  if (!Array.isArray(value)) throw buildRefusal(400, `${name} must be an array.`);
  return value;
}

export function parseIdList(body: JsonObject, name: string): number[] {
  return parseList(body, name).map((value) => parseId({ [name]: value }, name));
}

export function parseTextList(body: JsonObject, name: string): string[] {
  return parseList(body, name).map((value) => {
    if (typeof value !== 'string') throw buildRefusal(400, `${name} must hold strings.`);
    return value;
  });
}

/** A misspelled rule would silently match nothing, so unknown names are refused. */
export function parseFaultRules(body: JsonObject): FaultRule[] {
  if (!Array.isArray(body.rules)) throw buildRefusal(400, 'rules must be an array.');
  return body.rules.map((value: unknown) => {
    const rule = parseObject(value);
    const unknown = Object.keys(rule).find((key) => !RULE_KEYS.has(key));
    if (unknown !== undefined) throw buildRefusal(400, `A fault rule has no ${unknown}.`);
    const action = parseObject(rule.action);
    if (!ACTIONS.includes(String(action.type))) {
      throw buildRefusal(400, `action.type must be one of ${ACTIONS.join(', ')}.`);
    }
    if (String(action.type).endsWith('status') && typeof action.status !== 'number') {
      throw buildRefusal(400, 'action.status must be a number.');
    }
    if (String(action.type).endsWith('slow') && typeof action.ms !== 'number') {
      throw buildRefusal(400, 'action.ms must be a number.');
    }
    if (action.type === 'double' && !DOUBLE_ANSWERS.some((answer) => answer === action.answer)) {
      throw buildRefusal(400, `action.answer must be one of ${DOUBLE_ANSWERS.join(', ')}.`);
    }
    checkPattern(rule.path);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above as far as a strike depends on it
    return rule as FaultRule;
  });
}

export function parseSettings(body: JsonObject): Partial<Settings> {
  for (const [name, value] of Object.entries(body)) {
    const standard = new Map<string, unknown>(Object.entries(DEFAULT_SETTINGS)).get(name);
    if (standard === undefined) throw buildRefusal(400, `There is no setting ${name}.`);
    const isRight = Array.isArray(standard) ? Array.isArray(value) : typeof value === typeof standard;
    if (!isRight) throw buildRefusal(400, `The setting ${name} has the wrong type.`);
  }
  return body;
}

function checkPattern(path: unknown): void {
  if (path === undefined) return;
  try {
    if (typeof path === 'string' && RegExp(path)) return;
  } catch {
    // Refused below, together with values that are not text.
  }
  throw buildRefusal(400, 'path must be a regular expression.');
}
