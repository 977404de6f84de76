import { addNotes, type FoundIssue } from '../../issues/issues.js';
import type { PartialRequest } from '../rules/index.js';

/** A mapping of values to photos takes positions. Adds the meant position to an issue about a URL given instead. */
export function withPhotoPositions(
  issues: readonly FoundIssue[],
  { images = [] }: PartialRequest,
): FoundIssue[] {
  return issues.map((issue) => {
    const { parts = [], given } = issue;
    if (parts.length !== 4 || parts.slice(0, 3).join('.') !== 'variations.variation_images.mapping') {
      return issue;
    }
    const index = images.findIndex((image) => image?.url !== undefined && image.url === given);
    return addNotes(issue, { code: 'photo_index', params: index === -1 ? {} : { index } });
  });
}
