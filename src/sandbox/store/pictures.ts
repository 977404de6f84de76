import { createHash } from 'node:crypto';
import type { Database } from './database.js';
import { takeId } from './sequences.js';

/** An uploaded picture. `sha256` is null for seeded ones, which are drawn on request. */
type Picture = {
  listing_image_id: number;
  shop_id: number;
  sha256: string | null;
  width: number;
  height: number;
  created_at: number;
};

/** A picture attached to a listing. */
export type ListingPicture = Picture & { listing_id: number; rank: number; alt_text: string };

const HANGING = `SELECT p.listing_id, p.rank, p.alt_text, i.* FROM listing_images p
  JOIN images i ON i.listing_image_id = p.listing_image_id`;

export function listPictures(db: Database, listing_id: number): ListingPicture[] {
  return db.list<ListingPicture>(`${HANGING} WHERE p.listing_id = ? ORDER BY p.rank`, listing_id);
}

export function findPicture(db: Database, listing_image_id: number): Picture | undefined {
  return db.find<Picture>('SELECT * FROM images WHERE listing_image_id = ?', listing_image_id);
}

export function insertPicture(db: Database, picture: Omit<Picture, 'listing_image_id'>): number {
  const listing_image_id = takeId(db, 'image');
  db.run(
    'INSERT INTO images (listing_image_id, shop_id, sha256, width, height, created_at) VALUES (?,?,?,?,?,?)',
    listing_image_id,
    picture.shop_id,
    picture.sha256,
    picture.width,
    picture.height,
    picture.created_at,
  );
  return listing_image_id;
}

/** Replaces all pictures of the listing with these, in this order: ranks are 1..n. */
export function hangPictures(
  db: Database,
  listing_id: number,
  pictures: readonly { listing_image_id: number; alt_text: string }[],
): void {
  db.run('DELETE FROM listing_images WHERE listing_id = ?', listing_id);
  pictures.forEach((picture, index) => {
    db.run(
      'INSERT INTO listing_images (listing_id, listing_image_id, rank, alt_text) VALUES (?,?,?,?)',
      listing_id,
      picture.listing_image_id,
      index + 1,
      picture.alt_text,
    );
  });
  db.run(
    `DELETE FROM variation_images WHERE listing_id = ?
       AND image_id NOT IN (SELECT listing_image_id FROM listing_images WHERE listing_id = ?)`,
    listing_id,
    listing_id,
  );
}

/** Stores the bytes once, under their SHA-256, and returns it. */
export function keepBytes(db: Database, bytes: Buffer, content_type: string): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  db.run(
    'INSERT INTO blobs (sha256, content_type, size_bytes, bytes) VALUES (?,?,?,?) ON CONFLICT DO NOTHING',
    sha256,
    content_type,
    bytes.length,
    bytes,
  );
  return sha256;
}

export function findBytes(
  db: Database,
  sha256: string,
): { content_type: string; size_bytes: number; bytes: Buffer } | undefined {
  return db.find('SELECT content_type, size_bytes, bytes FROM blobs WHERE sha256 = ?', sha256);
}
