import type sharp from 'sharp';
import { MAX_IMAGE_PIXELS, THUMBNAIL_WIDTHS, type ThumbnailWidth } from '../../core/ports/media.js';

export type Rendered = { width: ThumbnailWidth; bytes: Buffer };

/**
 * One picture in every width, upright, as WebP without metadata; undefined when it is no JPEG, PNG or GIF that can be
 * decoded in time, or where the library is not installed. Of an animation, the first frame.
 */
export async function renderThumbnails(path: string): Promise<Rendered[] | undefined> {
  library ??= loadLibrary();
  const open = await library;
  if (open === undefined) return undefined;
  try {
    const rendered: Rendered[] = [];
    for (const width of THUMBNAIL_WIDTHS) {
      const bytes = await open(path, {
        limitInputPixels: MAX_IMAGE_PIXELS,
        failOn: 'error',
        sequentialRead: true,
      })
        .timeout({ seconds: MAX_SECONDS })
        .autoOrient()
        .resize({ width, height: MAX_PROPORTION * width, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .toBuffer();
      rendered.push({ width, bytes });
    }
    return rendered;
  } catch {
    return undefined;
  }
}

type Sharp = typeof sharp;

let library: Promise<Sharp | undefined> | undefined;

/** An optional package: a platform without a build of it goes without pictures. */
async function loadLibrary(): Promise<Sharp | undefined> {
  const loaded = await import('sharp').then(
    (module) => module.default,
    () => undefined,
  );
  // One thread a picture, nothing kept between two; and of the many formats it reads only those that a listing may have.
  loaded?.concurrency(1);
  loaded?.cache(false);
  loaded?.block({ operation: ['VipsForeignLoad'] });
  loaded?.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif'] });
  return loaded;
}

const MAX_SECONDS = 10;
/** A picture that is taller than this, by its width, comes narrower. */
const MAX_PROPORTION = 3;
const QUALITY = 78;
