import type { z } from 'zod/v3';
import type { KeyMeaning } from '../../../../schemas/issues/facts.js';
import type { Warning } from '../../../../schemas/job.js';
import type { Fact, Issue, IssueCode } from '../../../../schemas/issue.js';
import { addNotes } from '../../issues/issues.js';
import { findUnknownKeys, listKnownKeys, type FoundKey, type FreeKeys } from './find.js';
import { findMeaning, type KnownKey, type Meaning } from './meaning.js';

/** A key that nothing reads, and its probable meaning. */
export type UnknownKey = FoundKey & Meaning;

/** How an operation treats unknown keys, beyond a warning. */
export type UnknownKeyRules = {
  /** Keys that the input itself names. */
  listFree?: (input: unknown) => FreeKeys;
  /** An operation whose input is easily confused with this one's. */
  related?: { operation_id: string; input: z.ZodTypeAny };
  /** Whether the call is refused for this key. */
  isRefused?: (input: unknown, key: UnknownKey) => boolean;
  /** Whether the call is refused if there are too many unknown keys to examine each. */
  isManyRefused?: (input: unknown) => boolean;
};

export type UnknownKeys = {
  keys: readonly UnknownKey[];
  /** The number of further keys, which were not examined. */
  left_out: number;
  /** The number of comparisons of a key with a known one. */
  comparisons: number;
};

/** The work is bounded: at most some hundreds of keys are examined, each against the keys of the API. */
export function listUnknownKeys(
  schema: z.ZodTypeAny,
  input: unknown,
  { listFree, related }: Pick<UnknownKeyRules, 'listFree' | 'related'> = {},
): UnknownKeys {
  const { found, left_out } = findUnknownKeys(schema, input, listFree?.(input));
  if (found.length === 0) return NONE;
  const everywhere: KnownKey[] = listKnownKeys(schema);
  if (related) {
    const { operation_id } = related;
    everywhere.push(...listKnownKeys(related.input).map((known) => ({ ...known, operation_id })));
  }
  let comparisons = 0;
  const count = () => {
    comparisons += 1;
  };
  const shared = withoutRepeated(everywhere);
  const keys = found.map((one) => {
    const isOfOneShop = one.place.includes('shops[]');
    return { ...one, ...findMeaning(one, isOfOneShop ? everywhere : shared, count) };
  });
  return { keys, left_out, comparisons };
}

const isOverride = ({ place }: KnownKey): boolean => place.includes('overrides');

/** `overrides` of a shop repeat the fields that the shops share, which a key outside of `shops` never means. */
function withoutRepeated(everywhere: readonly KnownKey[]): readonly KnownKey[] {
  const names = new Set(everywhere.filter((one) => !isOverride(one)).map(({ key }) => key));
  return everywhere.filter((one) => !isOverride(one) || !names.has(one.key));
}

const NONE: UnknownKeys = { keys: [], left_out: 0, comparisons: 0 };

/** If an object takes only this many keys, all of them are named. */
const FEW = 6;

export function toWarnings({ keys, left_out }: UnknownKeys): Warning[] {
  const warnings = keys.map((one): Warning => ({
    code: 'unknown_field',
    level: 'warning',
    fields: one.paths,
    reason: toIgnored(one),
  }));
  if (left_out === 0) return warnings;
  const reason: Fact = { code: 'keys_ignored', params: { left_out } };
  return [...warnings, { code: 'unknown_field', level: 'warning', fields: [], reason }];
}

/** The keys for which a call is refused, as problems of its input. */
export function listRefused(
  { keys, left_out }: UnknownKeys,
  input: unknown,
  { isRefused, isManyRefused }: UnknownKeyRules = {},
): Issue[] {
  const refused = keys.filter((key) => isRefused?.(input, key));
  const issues = refused.flatMap((key) =>
    key.paths.map((at): Issue => ({ code: 'key_unknown', at, params: { meaning: toRefused(key) } })),
  );
  if (left_out === 0 || !isManyRefused?.(input)) return issues;
  return [...issues, { code: 'keys_left_out', at: '', params: { left_out, seen: keys.length } }];
}

/** If nothing resembles the key, names all keys that its object takes. */
function toRefused({ meaning, known }: UnknownKey): KeyMeaning {
  return meaning.is === 'unknown' ? { ...meaning, known } : meaning;
}

/** Codes of values that are missing, and may have been sent under another name. */
const MISSING: ReadonlySet<IssueCode> = new Set([
  'required',
  'physical_required',
  'partner_required',
  'offer_required',
  'photos_required',
  'files_required',
  'option_required',
  'photo_option_required',
  'attribute_required',
  'copy_price_unknown',
  'copy_profiles_unmatched',
  'copy_files_replaced',
  'stock_required',
  'filename_required',
  'file_part_required',
  'file_or_path_required',
]);

/** A missing required field may have been sent under another name: the issue names that key. */
export function withSentNames(issues: readonly Issue[], { keys }: UnknownKeys): Issue[] {
  return issues.map((issue) => {
    if (!MISSING.has(issue.code)) return issue;
    const field = issue.at.replaceAll(/\[\d+\]/g, '[]');
    const path = keys.find(({ fields }) => fields.includes(field))?.paths[0];
    return path === undefined ? issue : addNotes(issue, { code: 'sent_as', params: { path } });
  });
}

function toIgnored({ key, known, meaning, count }: UnknownKey): Fact {
  const params = { key, meaning, count, known: known.length <= FEW ? known : [] };
  return { code: 'key_ignored', params };
}
