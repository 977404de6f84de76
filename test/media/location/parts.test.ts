import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFileReader } from '../../../src/media/identify/file_reader.js';
import { createPartList, readParts } from '../../../src/media/location/parts.js';
import { makeFolder } from '../sample.js';

it('parts yield chunks that do not change while further ones are read', async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 9)) % 251));
  const path = join(await makeFolder(), 'file');
  await writeFile(path, bytes);
  const parts = createPartList();
  parts.keep(10, 200_000);
  parts.blank(100_000);
  parts.replace(Buffer.from('instead'));
  parts.keep(250_000, bytes.length);
  const chunks = await withFileReader(path, async (reader) => {
    const read: Buffer[] = [];
    for await (const chunk of readParts(reader, parts.list())) read.push(chunk);
    return read;
  });
  expect(chunks.length).toBeGreaterThan(6);
  const expected = [
    bytes.subarray(10, 200_000),
    Buffer.alloc(100_000),
    Buffer.from('instead'),
    bytes.subarray(250_000),
  ];
  expect(Buffer.concat(chunks).equals(Buffer.concat(expected))).toBe(true);
});
