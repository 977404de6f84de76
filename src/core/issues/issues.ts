import type { Fact } from '../../../schemas/issue.js';
import type { FileProblem, Issue, Note, Path } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';
import { toCanonicalJson } from '../text/canonical_json.js';

/**
 * A problem that the schema found. `parts`: the parts of its path, since a caller's key may hold dots; `given`: the received
 * value.
 */
export type FoundIssue = Issue & { parts?: readonly (string | number)[]; given?: unknown };

export function buildValidationError(issues: readonly Issue[], hint?: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', issues, hint === undefined ? {} : { hint });
}

export function moveIssue<Found extends Issue>(issue: Found, at: Path): Found {
  return { ...issue, at };
}

export function addNotes<Found extends Issue>(issue: Found, ...notes: readonly Note[]): Found {
  return notes.length === 0 ? issue : { ...issue, notes: [...(issue.notes ?? []), ...notes] };
}

/** The problems of a file, at each path that names it. */
export function placeProblems(problems: readonly FileProblem[], at: Path): Issue[] {
  return problems.map((problem) => ({ ...problem, at }));
}

export function isSameFact(a: Fact, b: Fact): boolean {
  return toCanonicalJson(a) === toCanonicalJson(b);
}

/** Equal for the same problem at the same place. */
export function toIssueKey({ code, at, params, notes }: Issue): string {
  return toCanonicalJson({ code, at, params, notes: notes ?? [] });
}
