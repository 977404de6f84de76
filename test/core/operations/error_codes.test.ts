import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../schemas/error.js';
import { ERRORS } from '../../../src/core/errors.js';
import { listErrors, SHARED_ERRORS } from '../../../src/core/operations/operation.js';
import { operations } from '../../../tools/index.js';

describe('the table of error codes', () => {
  it('has each code once, in the order of the list', () => {
    expect(Object.keys(ERRORS)).toEqual([...ERROR_CODES]);
  });

  it('has no code that no operation returns, except those of unknown paths', () => {
    // Operations actually return their declared codes: see surfaces/declared_errors.
    const declared = new Set(operations.flatMap(listErrors));
    expect(ERROR_CODES.filter((code) => !declared.has(code))).toEqual(['NOT_FOUND']);
  });

  it('declares common codes once: no operation declares a code again that all can return', () => {
    const shared = new Set<string>([...SHARED_ERRORS, 'READ_ONLY']);
    const twice = operations.flatMap(({ id, errors }) =>
      errors
        .filter((code, index) => shared.has(code) || errors.indexOf(code) !== index)
        .map((code) => [id, code]),
    );
    expect(twice).toEqual([]);
  });
});
