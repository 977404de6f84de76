import type { BatchEdit } from '../../../../schemas/batch.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';

type Photo = NonNullable<ListingRequest['images']>[number];

/** Photos keep the order of the list, so ranks are dropped. */
export function editPhotos(request: ListingRequest, edit: BatchEdit, at: string, issues: Issue[]): void {
  const { op, value } = edit;
  const photos = listInOrder(request.images ?? []);
  const given = value as readonly unknown[];
  const wrong = (rank: number) => rank > photos.length;
  const ranks =
    op === 'remove'
      ? (given as number[])
      : op === 'set_alt_text'
        ? (given as { rank: number }[]).map(({ rank }) => rank)
        : [];
  for (const rank of ranks.filter(wrong)) {
    issues.push({
      code: 'item_rank_unknown',
      at,
      params: { rank, photos: photos.length },
    });
  }
  const added = listAdded(edit);
  const texts = new Map(
    op === 'set_alt_text'
      ? (given as { rank: number; alt_text: string }[]).map(({ rank, alt_text }) => [rank, alt_text])
      : [],
  );
  const kept = photos
    .map((photo, index): Photo => {
      const alt_text = texts.get(index + 1);
      return alt_text === undefined ? photo : { ...photo, alt_text };
    })
    .filter((_, index) => op !== 'remove' || !ranks.includes(index + 1));
  request.images = op === 'prepend' ? [...added, ...kept] : [...kept, ...added];
}

/** The photos that an edit adds. */
export function listAdded({ field, op, value }: BatchEdit): Photo[] {
  if (field !== 'images' || (op !== 'append' && op !== 'prepend')) return [];
  return (value as readonly unknown[]).map((given) =>
    typeof given === 'string' ? { url: given } : (given as Photo),
  );
}

function listInOrder(photos: readonly Photo[]): Photo[] {
  return photos
    .map((photo, index) => ({ photo, rank: photo.rank ?? index + 1 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ photo: { rank: _, ...photo } }) => photo);
}
