import { MAX_IMAGE_PIXELS, THUMBNAIL_WIDTHS, type ThumbnailWidth } from '../../core/ports/media.js';
import { loadPictureLibrary } from '../photos/library.js';

export type Rendered = { width: ThumbnailWidth; bytes: Buffer };

/**
 * One picture in every width, upright, as WebP without metadata; undefined if it is not a photo that can be
 * decoded in time, or if the library is not installed. For an animation, the first frame.
 */
export async function renderThumbnails(path: string): Promise<Rendered[] | undefined> {
  const open = await loadPictureLibrary();
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

const MAX_SECONDS = 10;
/** A picture whose height exceeds this multiple of its width is rendered narrower. */
const MAX_PROPORTION = 3;
const QUALITY = 78;
