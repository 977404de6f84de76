import type { FileProblem, Issue, Note, Path } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';
import { toCanonicalJson } from '../text/canonical_json.js';
import { renderLine, writeText } from './render.js';

/** A problem that the schema found. `parts`: of its path, since a caller's key may hold dots; `given`: the value that came. */
export type FoundIssue = Issue & { parts?: readonly (string | number)[]; given?: unknown };

/** Problems listed at most: a body of 1 MiB can have 300,000. */
const MAX_LINES = 1_000;

/** All problems at once, each once and on one line. */
export function buildValidationError(issues: readonly Issue[], hint?: string): ServiceError {
  const lines = new Set<string>();
  let left_out = 0;
  for (const issue of issues) {
    if (lines.size < MAX_LINES) lines.add(writeText(renderLine(issue)));
    else left_out += 1;
  }
  const more = left_out > 0 ? [`… and ${left_out} more`] : [];
  const message = [...lines, ...more].join('\n');
  return new ServiceError('VALIDATION_FAILED', message, { issues, ...(hint === undefined ? {} : { hint }) });
}

export function moveIssue<Found extends Issue>(issue: Found, at: Path): Found {
  return { ...issue, at };
}

export function addNotes<Found extends Issue>(issue: Found, ...notes: readonly Note[]): Found {
  return notes.length === 0 ? issue : { ...issue, notes: [...(issue.notes ?? []), ...notes] };
}

/** The problems of a file, wherever it is named. */
export function placeProblems(problems: readonly FileProblem[], at: Path): Issue[] {
  return problems.map((problem) => ({ ...problem, at }));
}

/** Equal for the same problem at the same place. */
export function toIssueKey({ code, at, params, notes }: Issue): string {
  return toCanonicalJson({ code, at, params, notes: notes ?? [] });
}
