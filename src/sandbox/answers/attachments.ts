import type { ListingFile, ListingVideo, Question, Translation } from '../store/attachments.js';
import { encodeEntities, toMoney, toSeconds } from './text.js';

export function toVideo(video: ListingVideo, origin: string): Record<string, unknown> {
  return {
    video_id: video.video_id,
    height: 1080,
    width: 1080,
    thumbnail_url: `${origin}/img/${video.video_id}/il_170x135.${video.video_id}.jpg`,
    video_url: `${origin}/video/${video.video_id}.mp4`,
    video_state: 'active',
  };
}

export function toFile(file: ListingFile, listing_id: number): Record<string, unknown> {
  const created = toSeconds(file.created_at);
  return {
    listing_file_id: file.listing_file_id,
    listing_id,
    rank: file.rank,
    filename: file.name,
    filesize: toReadableSize(file.size_bytes),
    size_bytes: file.size_bytes,
    filetype: file.content_type,
    create_timestamp: created,
    created_timestamp: created,
  };
}

export function toPersonalization(
  questions: readonly Question[],
  currency_code: string,
): { personalization_questions: Record<string, unknown>[] } {
  return {
    personalization_questions: questions.map(({ add_on_price_amount, ...question }) => ({
      ...question,
      add_on_price: add_on_price_amount === null ? null : toMoney(add_on_price_amount, currency_code),
    })),
  };
}

export function toTranslation(listing_id: number, translation: Translation): Record<string, unknown> {
  return {
    listing_id,
    language: translation.language,
    title: encodeEntities(translation.title),
    description: encodeEntities(translation.description),
    tags: translation.tags,
  };
}

const SIZE_STEP = 1024;

function toReadableSize(size_bytes: number): string {
  if (size_bytes < SIZE_STEP) return `${size_bytes} B`;
  if (size_bytes < SIZE_STEP * SIZE_STEP) return `${(size_bytes / SIZE_STEP).toFixed(2)} KB`;
  return `${(size_bytes / SIZE_STEP / SIZE_STEP).toFixed(2)} MB`;
}
