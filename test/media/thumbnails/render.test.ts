import { afterEach, expect, it, vi } from 'vitest';
import { renderThumbnails } from '../../../src/media/thumbnails/render.js';
import { fixture } from '../sample.js';

afterEach(() => {
  vi.doUnmock('sharp');
  vi.resetModules();
});

it('no thumbnail is made if the library is not installed', async () => {
  expect(await renderThumbnails(fixture('photo-01.jpg'))).toHaveLength(3);
  vi.resetModules();
  vi.doMock('sharp', () => {
    throw new Error("Cannot find package 'sharp'");
  });
  const { renderThumbnails: renderWithout } = await import('../../../src/media/thumbnails/render.js');
  expect(await renderWithout(fixture('photo-01.jpg'))).toBeUndefined();
});
