import type { PropertyValue } from './inventory.js';
import type { Database } from './database.js';
import { readJson } from './json.js';

export type ListingVideo = {
  video_id: number;
  shop_id: number;
  name: string;
  sha256: string;
  created_at: number;
};
export type ListingFile = {
  listing_file_id: number;
  shop_id: number;
  name: string;
  content_type: string;
  sha256: string;
  size_bytes: number;
  created_at: number;
  rank: number;
};
export type VariationImage = { property_id: number; value_id: number; image_id: number };
export type QuestionType = 'text_input' | 'dropdown' | 'unlabeled_upload' | 'labeled_upload';
export type Question = {
  question_id: number;
  question_text: string;
  instructions: string | null;
  question_type: QuestionType;
  required: boolean;
  max_allowed_characters: number | null;
  max_allowed_files: number | null;
  add_on_price_amount: number | null;
  options: { option_id: number; label: string }[] | null;
};

export function listVideos(db: Database, listing_id: number): ListingVideo[] {
  return db.list<ListingVideo>(
    `SELECT v.* FROM listing_videos l JOIN videos v ON v.video_id = l.video_id
       WHERE l.listing_id = ? ORDER BY l.position`,
    listing_id,
  );
}

export function listFiles(db: Database, listing_id: number): ListingFile[] {
  return db.list<ListingFile>(
    `SELECT f.*, l.rank FROM listing_files l JOIN files f ON f.listing_file_id = l.listing_file_id
       WHERE l.listing_id = ? ORDER BY l.rank`,
    listing_id,
  );
}

export function listVariationImages(db: Database, listing_id: number): VariationImage[] {
  return db.list<VariationImage>(
    'SELECT property_id, value_id, image_id FROM variation_images WHERE listing_id = ? ORDER BY value_id',
    listing_id,
  );
}

export function listProperties(db: Database, listing_id: number): PropertyValue[] {
  return db
    .list<{ data: string }>(
      'SELECT data FROM listing_properties WHERE listing_id = ? ORDER BY property_id',
      listing_id,
    )
    .map((row) => readJson<PropertyValue>(row.data));
}

export function listQuestions(db: Database, listing_id: number): Question[] {
  const row = db.find<{ data: string }>('SELECT data FROM personalizations WHERE listing_id = ?', listing_id);
  return row ? readJson<Question[]>(row.data) : [];
}

export function listTranslations(
  db: Database,
  listing_id: number,
): { language: string; title: string; description: string; tags: string[] }[] {
  return db
    .list<{ language: string; data: string }>(
      'SELECT language, data FROM translations WHERE listing_id = ?',
      listing_id,
    )
    .map((row) => ({
      language: row.language,
      ...readJson<{ title: string; description: string; tags: string[] }>(row.data),
    }));
}
