import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../schemas/error.js';
import { ERRORS } from '../../src/core/errors.js';
import { SHARED_ERRORS } from '../../src/core/operation.js';
import { operations } from '../../tools/index.js';
import { readSources } from '../architecture/sources.js';

describe('the table of error codes', () => {
  it('has each code once, in the order of the list', () => {
    expect(Object.keys(ERRORS)).toEqual([...ERROR_CODES]);
  });

  it('has no code that nothing answers', () => {
    const tables = new Set([
      'src/core/errors.ts',
      'src/core/operation.ts',
      'src/transports/errors_explained.ts',
    ]);
    const thrown = readSources()
      .filter(({ file, room }) => !tables.has(file) && room !== 'schemas' && room !== 'tools')
      .map(({ text }) => text)
      .join('\n');
    const isThrown = (code: string) => code === 'VALIDATION_FAILED' || thrown.includes(`'${code}'`);
    expect(ERROR_CODES.filter((code) => !isThrown(code))).toEqual([]);
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
