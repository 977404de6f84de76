import type { Issue } from '../../errors.js';
import type { PartialRequest } from '../rules/index.js';

/** A mapping of values to photos takes positions: what came in place of one is answered with the position that it means. */
export function withPhotoPositions(issues: readonly Issue[], { images = [] }: PartialRequest): Issue[] {
  return issues.map((issue) => {
    const { at = [], given, message } = issue;
    if (at.length !== 4 || at.slice(0, 3).join('.') !== 'variations.variation_images.mapping') return issue;
    const position = images.findIndex((image) => image?.url !== undefined && image.url === given);
    const meant = position === -1 ? '' : `; that photo is ${position}`;
    return { ...issue, message: `${message}; it is the 0-based index of a photo in images[]${meant}` };
  });
}
