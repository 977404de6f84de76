import type { Fact } from '../../../../schemas/issue.js';
import { MEDIA_KINDS, type MediaKind } from '../../ports/listing/progress.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import type { Warning } from '../../../../schemas/job.js';
import { isPlain } from '../snapshot/compare_words.js';
import { listShownIds } from '../snapshot/shown_ids.js';

/** The contents of the parts an update writes, after the update. */
type Left = { [Kind in MediaKind]?: readonly { id: number | null }[] } & {
  questions?: readonly unknown[];
  variation_images?: readonly unknown[];
};

/** Warnings about data an update removes that can be restored only manually, or never. */
export function listLosses(fresh: Partial<ListingSnapshot>, left: Left): Warning[] {
  return [
    ...listGoneMedia(fresh, left),
    ...listGoneQuestions(fresh, left),
    ...listGoneVariationImages(fresh, left),
  ];
}

/** The losses of an update that stopped halfway. */
export function listLost(
  before: Partial<ListingSnapshot>,
  after: Partial<ListingSnapshot>,
  target: Target,
): Warning[] {
  const { questions, variation_images } = after;
  const media = MEDIA_KINDS.flatMap((kind) => {
    const ids = target[kind] && listShownIds(after, kind);
    return ids ? [[kind, ids.map((id) => ({ id }))]] : [];
  });
  return listLosses(before, {
    ...Object.fromEntries(media),
    ...(target.questions && questions && { questions }),
    ...(target.variation_images && variation_images && { variation_images }),
  });
}

function listGoneMedia(fresh: Partial<ListingSnapshot>, { images, videos, files }: Left): Warning[] {
  const photos = images ? (fresh.images ?? []).filter((one) => !has(images, one.listing_image_id)) : [];
  const films = videos ? (fresh.videos ?? []).filter((one) => !has(videos, one.video_id)) : [];
  const gone = files ? (fresh.files ?? []).filter((one) => !has(files, one.listing_file_id)) : [];
  const filenames = gone.map(({ filename }) => filename);
  return [
    ...toWarnings(photos.length, 'images', { code: 'photos_removed', params: { count: photos.length } }),
    ...toWarnings(films.length, 'videos', { code: 'videos_removed', params: { count: films.length } }),
    ...toWarnings(gone.length, 'digital_files', { code: 'files_removed', params: { filenames } }),
  ];
}

function has(kept: readonly { id: number | null }[], id: number): boolean {
  return kept.some((one) => one.id === id);
}

function listGoneQuestions({ questions = [] }: Partial<ListingSnapshot>, left: Left): Warning[] {
  if (!left.questions || left.questions.length > 0) return [];
  // A question in the form this service writes is no loss: the same fields ask it again.
  if (questions.length === 0 || (questions.length === 1 && questions.every(isPlain))) return [];
  const params = { questions: questions.map(({ question_text }) => question_text) };
  return toWarnings(questions.length, 'personalization', { code: 'questions_removed', params });
}

function listGoneVariationImages({ variation_images = [] }: Partial<ListingSnapshot>, left: Left): Warning[] {
  const gone = left.variation_images ? variation_images.length - left.variation_images.length : 0;
  if (gone <= 0) return [];
  const params = { count: gone };
  return toWarnings(gone, 'variations.variation_images', { code: 'variation_photos_removed', params });
}

function toWarnings(number: number, field: string, reason: Fact): Warning[] {
  return number === 0 ? [] : [{ code: 'is_lost', fields: [field], reason }];
}
