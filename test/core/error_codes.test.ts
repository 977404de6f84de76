import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../schemas/error.js';
import { ERRORS } from '../../src/core/errors.js';
import { listErrors, SHARED_ERRORS } from '../../src/core/operation.js';
import { operations } from '../../tools/index.js';
import { ROOT } from '../architecture/sources.js';

/** The pages that decided on the codes, where they are at hand. */
const DECISIONS = join(ROOT, '..', 'shared', 'spec', 'decisions.md');
const LATER = join(ROOT, '..', 'shared', 'spec', 'after-live.md');

/** Rows such as `| 401 | UNAUTHORIZED |` of its section on errors. */
function readDecided(): [string, number][] {
  const section = readFileSync(DECISIONS, 'utf8').split('\n## Errors')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)].flatMap(([, status, codes = '']) =>
    (codes.match(/\b[A-Z][A-Z_]+\b/g) ?? []).map((code): [string, number] => [code, Number(status)]),
  );
}

/** Of the later page those that something answers by now, each of them a 400. */
function readLater(): [string, number][] {
  const section = readFileSync(LATER, 'utf8').split('\n## Codes\n')[1]?.split('\n## ')[0] ?? '';
  const codes = (section.match(/`[A-Z_]+`/g) ?? []).map((code) => code.slice(1, -1));
  return codes.filter((code) => Object.hasOwn(ERRORS, code)).map((code) => [code, 400]);
}

describe('the table of error codes', () => {
  it.skipIf(!existsSync(DECISIONS))('is the one that was decided on', () => {
    expect(Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]))).toEqual(
      Object.fromEntries([...readDecided(), ...readLater()]),
    );
  });

  it('has each code once, in the order of the list', () => {
    expect(Object.keys(ERRORS)).toEqual([...ERROR_CODES]);
  });

  it('has no code that no operation answers, but for paths where none is', () => {
    // What operations declare they answer, too: surfaces/declared_errors.
    const declared = new Set(operations.flatMap(listErrors));
    expect(ERROR_CODES.filter((code) => !declared.has(code))).toEqual(['NOT_FOUND']);
  });

  it('is declared once: what every operation can answer, no operation names again', () => {
    const shared = new Set<string>([...SHARED_ERRORS, 'READ_ONLY']);
    const twice = operations.flatMap(({ id, errors }) =>
      errors
        .filter((code, index) => shared.has(code) || errors.indexOf(code) !== index)
        .map((code) => [id, code]),
    );
    expect(twice).toEqual([]);
  });
});
