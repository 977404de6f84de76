import type { PropertyValue } from './inventory.js';
import type { Database } from './database.js';
import { readJson } from './json.js';
import { takeId } from './sequences.js';

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

export type Translation = { language: string; title: string; description: string; tags: string[] };

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

/** Inserts a file that is not attached to a listing yet. */
export function insertFile(db: Database, file: Omit<ListingFile, 'listing_file_id' | 'rank'>): number {
  const listing_file_id = takeId(db, 'file');
  db.run(
    'INSERT INTO files VALUES (?,?,?,?,?,?,?)',
    listing_file_id,
    file.shop_id,
    file.name,
    file.content_type,
    file.sha256,
    file.size_bytes,
    file.created_at,
  );
  return listing_file_id;
}

/** Replaces all files of a listing with these, in this order. */
export function hangFiles(db: Database, listing_id: number, file_ids: readonly number[]): void {
  db.run('DELETE FROM listing_files WHERE listing_id = ?', listing_id);
  file_ids.forEach((file_id, index) => {
    db.run('INSERT INTO listing_files VALUES (?,?,?)', listing_id, file_id, index + 1);
  });
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

export function listTranslations(db: Database, listing_id: number): Translation[] {
  return db
    .list<{ language: string; data: string }>(
      'SELECT language, data FROM translations WHERE listing_id = ?',
      listing_id,
    )
    .map((row) => ({
      language: row.language,
      ...readJson<Omit<Translation, 'language'>>(row.data),
    }));
}

export function saveTranslation(db: Database, listing_id: number, translation: Translation): void {
  const { language, ...data } = translation;
  db.run(
    'INSERT INTO translations VALUES (?,?,?) ON CONFLICT (listing_id, language) DO UPDATE SET data = excluded.data',
    listing_id,
    language,
    JSON.stringify(data),
  );
}

/** Deletes all translations, or the one into a language. */
export function deleteTranslations(db: Database, listing_id: number, language?: string): void {
  db.run(
    'DELETE FROM translations WHERE listing_id = ? AND language = coalesce(?, language)',
    listing_id,
    language ?? null,
  );
}

export function saveProperty(db: Database, listing_id: number, value: PropertyValue): void {
  db.run(
    `INSERT INTO listing_properties VALUES (?,?,?)
       ON CONFLICT (listing_id, property_id) DO UPDATE SET data = excluded.data`,
    listing_id,
    value.property_id,
    JSON.stringify(value),
  );
}

/** @returns whether there was one */
export function deleteProperty(db: Database, listing_id: number, property_id: number): boolean {
  const sql = 'DELETE FROM listing_properties WHERE listing_id = ? AND property_id = ?';
  return db.run(sql, listing_id, property_id) > 0;
}

/** Replaces all questions; without any, the row is deleted. */
export function saveQuestions(db: Database, listing_id: number, questions: readonly Question[]): void {
  db.run('DELETE FROM personalizations WHERE listing_id = ?', listing_id);
  if (questions.length === 0) return;
  db.run('INSERT INTO personalizations VALUES (?, ?)', listing_id, JSON.stringify(questions));
}

/** Replaces all photos of variations. */
export function saveVariationImages(
  db: Database,
  listing_id: number,
  images: readonly VariationImage[],
): void {
  db.run('DELETE FROM variation_images WHERE listing_id = ?', listing_id);
  for (const { property_id, value_id, image_id } of images) {
    db.run('INSERT INTO variation_images VALUES (?,?,?,?)', listing_id, property_id, value_id, image_id);
  }
}
