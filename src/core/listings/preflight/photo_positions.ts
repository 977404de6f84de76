import { addNotes, type FoundIssue } from '../../issues/issues.js';
import type { PartialRequest } from '../rules/index.js';

/**
 * A mapping of values to photos needs positions. If a photo's URL was given instead, adds that photo's position to
 * the issue.
 */
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
