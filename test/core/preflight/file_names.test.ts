import { describe, expect, it } from 'vitest';
import { toFileNames } from '../../../src/core/listings/preflight/file_name.js';

describe('names of digital files', () => {
  it('are different even if derived from names in other scripts', () => {
    const files = ['выкройка.pdf', '型紙.pdf', 'دليل.pdf', '🧵.zip'].map((filename) => ({
      name: undefined,
      filename,
    }));
    expect(toFileNames(files)).toEqual(['file.pdf', 'file-2.pdf', 'file-3.pdf', 'file.zip']);
  });

  it('yield to chosen names, and stay within 70 characters', () => {
    const long = `${'a'.repeat(80)}.pdf`;
    const names = toFileNames([
      { name: undefined, filename: 'Guide.pdf' },
      { name: 'guide.pdf', filename: 'x.pdf' },
      { name: undefined, filename: long },
      { name: undefined, filename: long },
    ]);
    expect(names).toEqual(['Guide-2.pdf', 'guide.pdf', `${'a'.repeat(66)}.pdf`, `${'a'.repeat(64)}-2.pdf`]);
  });
});
