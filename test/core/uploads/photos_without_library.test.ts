import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fixturePath, type TestService } from '../../service.js';

/*
 * A platform for which the image library has no build. The modules are loaded again here, because another file
 * may have loaded them.
 */

let service: TestService;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('sharp', () => {
    throw new Error('there is no such package');
  });
  const { startService } = await import('../../service.js');
  service = await startService();
});
afterAll(async () => {
  await service.close();
  vi.doUnmock('sharp');
  vi.resetModules();
});

const send = async (name: string) =>
  service.invoke('file_upload', {
    file: (await readFile(fixturePath(name))).toString('base64'),
    filename: name,
  });

it.each([
  [
    'phone.webp',
    'is a WebP photo, which is converted to JPEG only if the optional package sharp is installed; send a JPG, PNG, or GIF',
  ],
  [
    'phone.heic',
    'is a HEIC photo, which is converted to JPEG only if the optional packages sharp and libheif-js are installed; send it as JPEG (an iPhone takes JPEG photos with Settings → Camera → Formats → Most Compatible)',
  ],
])('reports for a photo that cannot be converted to JPEG here what to do: %s', async (name, problem) => {
  expect(await send(name)).toMatchObject({
    ok: false,
    error: { error: { code: 'VALIDATION_FAILED', message: `file: ${problem}` } },
  });
});

it('accepts a JPEG as usual', async () => {
  expect(await send('photo-01.jpg')).toMatchObject({ ok: true, output: { content_type: 'image/jpeg' } });
});
