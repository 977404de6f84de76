import type { Warning } from '../../../../schemas/job.js';
import { quoteName, type Issue } from '../../errors.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { PartialRequest } from '../rules/index.js';
import { countChars } from '../rules/text.js';

/*
 * Where the interface allows more than the marketplace takes: a draft is told in advance, publish tries and tells, and active
 * stops before the fee.
 */

/** `problem` is the end of a sentence that begins with the path. */
export type Limit = { path: string; problem: string };

/** A digital file by where it is named. */
export type SizedFile = { path: string; filename: string; size_bytes: number };

export function toLimitIssues(limits: readonly Limit[]): Issue[] {
  return limits.map(({ path, problem }) => ({
    path,
    message: `${problem}; correct it before the listing goes live`,
  }));
}

export function toLimitWarnings(limits: readonly Limit[]): Warning[] {
  return limits.map(({ path, problem }) => ({
    code: 'marketplace_limit',
    fields: [path],
    reason: `${path} ${problem}. It is sent as it is and may be refused; state active stops before the fee.`,
  }));
}

/** Instructions of a question that the marketplace is known to refuse. */
export function listInstructionLimits({ personalization }: PartialRequest): Limit[] {
  const instructions = personalization?.instructions?.trim() ?? '';
  if (personalization?.enabled !== true || instructions === '') return [];
  const most = MARKETPLACE_FACTS.personalization_instructions_max_chars;
  const chars = countChars(instructions);
  const shouted = findShouted(instructions);
  const problems = [
    chars > most && `has ${chars} characters; the marketplace takes ${most}`,
    !/^[\p{L}\p{Nd}]/u.test(instructions) &&
      `begins with ${[...instructions][0]}; the marketplace wants a letter or number first`,
    shouted !== undefined &&
      `has ${MARKETPLACE_FACTS.personalization_capital_words_in_a_row} words in capitals in a row (${shouted}), which the marketplace refuses`,
  ];
  return problems
    .filter((problem) => typeof problem === 'string')
    .map((problem) => ({ path: 'personalization.instructions', problem }));
}

export function listFileLimits(files: readonly SizedFile[]): Limit[] {
  const most = MARKETPLACE_FACTS.digital_file_max_bytes;
  const megabytes = most / 1024 / 1024;
  return files
    .filter(({ size_bytes }) => size_bytes > most)
    .map(({ path, filename }) => ({
      path,
      problem: `(${quoteName(filename)}) is larger than ${megabytes} MB, the most the marketplace takes`,
    }));
}

/** The first words in capitals that stand in a row: of two letters at least, since "A" may begin a sentence. */
function findShouted(text: string): string | undefined {
  const most = MARKETPLACE_FACTS.personalization_capital_words_in_a_row;
  let row: string[] = [];
  for (const [word] of text.matchAll(/\p{L}[\p{L}\p{M}'’]*/gu)) {
    row = /^\p{Lu}[\p{M}'’]*\p{Lu}[\p{Lu}\p{M}'’]*$/u.test(word) ? [...row, word] : [];
    if (row.length === most) return quoteName(row.join(' '));
  }
  return undefined;
}
