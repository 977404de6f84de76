import type { ListingProblem } from '../../../../schemas/issues/request_warnings.js';
import type { Warning } from '../../../../schemas/job.js';
import type { Issue } from '../../../../schemas/issue.js';
import { addNotes } from '../../issues/issues.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { PartialRequest } from '../rules/index.js';
import { countChars } from '../rules/text.js';

/*
 * For values that the API allows and the marketplace refuses: a draft gets a warning, publish tries and reports the
 * outcome, and active stops before the fee.
 */

/** A digital file with the path at which it is named. */
export type SizedFile = { path: string; filename: string; size_bytes: number };

export function toLimitIssues(limits: readonly Issue[]): Issue[] {
  return limits.map((limit) => addNotes(limit, { code: 'before_live', params: {} }));
}

export function toLimitWarnings(limits: readonly Issue[]): Warning[] {
  return limits.map((limit) => ({
    code: 'marketplace_limit',
    fields: [limit.at],
    reason: { code: 'marketplace_limit', params: { problem: limit as ListingProblem } },
  }));
}

/** Instructions of a question that the marketplace is known to refuse. */
export function listInstructionLimits({ personalization }: PartialRequest): Issue[] {
  const instructions = personalization?.instructions?.trim() ?? '';
  if (personalization?.enabled !== true || instructions === '') return [];
  const most = MARKETPLACE_FACTS.personalization_instructions_max_chars;
  const chars = countChars(instructions);
  const words = findShouted(instructions);
  const in_a_row = MARKETPLACE_FACTS.personalization_capital_words_in_a_row;
  const at = 'personalization.instructions';
  const limits: (Issue | false)[] = [
    chars > most && { code: 'instructions_too_long', at, params: { chars, most } },
    !/^[\p{L}\p{Nd}]/u.test(instructions) && {
      code: 'instructions_start',
      at,
      params: { character: [...instructions][0] ?? '' },
    },
    words !== undefined && { code: 'instructions_shouted', at, params: { words, most: in_a_row } },
  ];
  return limits.filter((limit) => limit !== false);
}

export function listFileLimits(files: readonly SizedFile[]): Issue[] {
  const most = MARKETPLACE_FACTS.digital_file_max_bytes;
  const megabytes = most / 1024 / 1024;
  return files
    .filter(({ size_bytes }) => size_bytes > most)
    .map(({ path, filename }) => ({
      code: 'digital_file_too_large',
      at: path,
      params: { filename, megabytes },
    }));
}

/**
 * The first series of words in capitals. Only words of at least two letters count, since "A" may begin a sentence.
 */
function findShouted(text: string): string | undefined {
  const most = MARKETPLACE_FACTS.personalization_capital_words_in_a_row;
  let row: string[] = [];
  for (const [word] of text.matchAll(/\p{L}[\p{L}\p{M}'’]*/gu)) {
    row = /^\p{Lu}[\p{M}'’]*\p{Lu}[\p{Lu}\p{M}'’]*$/u.test(word) ? [...row, word] : [];
    if (row.length === most) return row.join(' ');
  }
  return undefined;
}
