import type { BatchItem } from '../../../schemas/batch.js';
import type { Fact } from '../../../schemas/issue.js';
import type { Warning } from '../../../schemas/job.js';
import type { Call } from '../operations/call.js';
import { renderFactForSeller, renderForProgram, renderMessage, renderSentence, writeText } from './render.js';

type Sentence<Value> = Value extends null | undefined ? Value : string;
type WrittenIssue = { code: string; field: string; message: string };
type WrittenWarning = Omit<Warning, 'reason'> & { reason: string };

/** An answer with sentences for programs in place of facts. */
export type Written<Answer> = {
  [Key in keyof Answer]: Key extends 'warnings'
    ? WrittenWarning[] | Extract<Answer[Key], undefined>
    : Key extends 'error' | 'error_message'
      ? Sentence<Answer[Key]>
      : Key extends 'issues'
        ? WrittenIssue[]
        : Key extends 'results' | 'shops' | 'jobs' | 'items' | 'history'
          ? WrittenParts<Answer[Key]>
          : Answer[Key];
};
type WrittenParts<Value> = Value extends readonly (infer Part)[] ? Written<Part>[] : Written<Value>;

type Reader = NonNullable<Call['words']>;
type Field = (value: never, reader: Reader) => unknown;

const FIELDS: Readonly<Record<string, Field>> = {
  warnings: writeWarnings,
  error: writeFact,
  error_message: writeFact,
  results: writeParts,
  shops: writeParts,
  jobs: writeParts,
  items: writeParts,
  issues: writeIssues,
  history: writeAnswer,
};

/** The answer of an operation, as callers get it. @param reader of its warnings */
export function writeAnswer<Answer extends object>(
  answer: Answer,
  reader: Reader = 'program',
): Written<Answer> {
  // oxlint-disable typescript/no-unsafe-type-assertion -- the fields of FIELDS are those of Written
  const entries = Object.entries(answer).map(([key, value]) => {
    const write = value === undefined || value === null ? undefined : FIELDS[key];
    return [key, write ? write(value as never, reader) : value];
  });
  return Object.fromEntries(entries) as Written<Answer>;
}

function writeParts(parts: readonly object[], reader: Reader): object[] {
  return parts.map((part) => writeAnswer(part, reader));
}

export function writeWarnings(warnings: readonly Warning[], reader: Reader = 'program'): WrittenWarning[] {
  const render = reader === 'seller' ? renderFactForSeller : renderSentence;
  return warnings.map(({ reason, ...warning }) => ({
    ...warning,
    reason: writeText(render(reason, warning.fields[0] ?? '')),
  }));
}

function writeIssues(issues: BatchItem['issues']): WrittenIssue[] {
  return issues.map(({ code, field, message }) => ({
    code,
    field,
    message: writeText(renderMessage({ ...message, at: field })),
  }));
}

function writeFact(fact: Fact): string {
  return writeText(renderForProgram(fact));
}
