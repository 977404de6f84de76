import { leaveOutNew } from '../answers/associations.js';
import { toFile } from '../answers/attachments.js';
import { created, NO_CONTENT, toList } from '../requests/call.js';
import type { Answer, Call, Route } from '../requests/call.js';
import { getPathId, parseInteger } from '../requests/fields.js';
import { INVENTED, VERBATIM } from '../requests/messages.js';
import { getOwnListing } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { toDigital, toPhysical } from '../rules/listing_type.js';
import { hangFiles, insertFile, listFiles } from '../store/attachments.js';
import type { ListingFile } from '../store/attachments.js';
import { saveListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { keepBytes } from '../store/pictures.js';

const BASE = '/shops/:shop_id/listings/:listing_id/files';
const MAX_FILES = 5;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const FILE_NAME = /^[A-Za-z0-9._-]{1,70}$/;

export const FILE_ROUTES: readonly Route[] = [
  {
    operation: 'uploadListingFile',
    method: 'POST',
    path: BASE,
    scopes: ['listings_w'],
    body: 'multipart',
    run: uploadFile,
  },
  {
    operation: 'getAllListingFiles',
    method: 'GET',
    path: BASE,
    scopes: ['listings_r'],
    run: (call) => {
      const { listing } = getOwnListing(call);
      const files = leaveOutNew(call, listFiles(call.db, listing.listing_id));
      return toList(files.map((file) => toFile(file, listing.listing_id)));
    },
  },
  {
    operation: 'deleteListingFile',
    method: 'DELETE',
    path: `${BASE}/:listing_file_id`,
    scopes: ['listings_w'],
    run: (call) => {
      const { listing } = getOwnListing(call);
      const { listing_file_id } = getFile(call, listing);
      const left = listFiles(call.db, listing.listing_id).filter(
        (file) => file.listing_file_id !== listing_file_id,
      );
      hangFiles(call.db, listing.listing_id, left.map(getFileId));
      saveListing(call.db, {
        ...(left.length === 0 ? toPhysical(listing) : listing),
        updated_at: call.now_ms,
      });
      return NO_CONTENT;
    },
  },
];

// Attaching a file makes a physical listing digital, as on the marketplace.
function uploadFile(call: Call): Answer {
  const { listing } = getOwnListing(call);
  const attached = listFiles(call.db, listing.listing_id);
  const file = takeFile(call, listing);
  const others = attached.filter((other) => other.listing_file_id !== file.listing_file_id);
  if (others.length >= MAX_FILES) throw buildRefusal(400, INVENTED.files_full);
  const rank = parseInteger(call.fields, 'rank') ?? 1;
  const ordered = others.toSpliced(Math.min(Math.max(rank, 1) - 1, others.length), 0, file);
  hangFiles(call.db, listing.listing_id, ordered.map(getFileId));
  const digital = listing.fields.listing_type === 'download' ? listing : toDigital(call, listing);
  saveListing(call.db, { ...digital, updated_at: call.now_ms });
  const stored = listFiles(call.db, listing.listing_id).find(
    (other) => other.listing_file_id === file.listing_file_id,
  );
  return created(toFile(stored ?? file, listing.listing_id));
}

function takeFile(call: Call, listing: Listing): ListingFile {
  const { db, fields, now_ms } = call;
  const upload = call.uploads.get('file');
  if (!upload) return getKnownFile(call, listing);
  const name = fields.get('name') ?? '';
  if (name === '') throw buildRefusal(400, VERBATIM.file_missing);
  if (!FILE_NAME.test(name)) throw buildRefusal(400, INVENTED.file_name);
  if (upload.bytes.length === 0) throw buildRefusal(400, VERBATIM.file_upload_failed);
  if (upload.bytes.length > MAX_FILE_BYTES) throw buildRefusal(400, INVENTED.file_too_large);
  const stored = {
    shop_id: listing.shop_id,
    name,
    content_type: upload.content_type,
    sha256: keepBytes(db, upload.bytes, upload.content_type),
    size_bytes: upload.bytes.length,
    created_at: now_ms,
  };
  return { ...stored, listing_file_id: insertFile(db, stored), rank: 1 };
}

function getKnownFile(call: Call, listing: Listing): ListingFile {
  const listing_file_id = parseInteger(call.fields, 'listing_file_id') ?? null;
  if (listing_file_id === null) throw buildRefusal(400, VERBATIM.file_missing);
  const known = call.db.find<ListingFile>(
    'SELECT *, 1 AS rank FROM files WHERE listing_file_id = ? AND shop_id = ?',
    listing_file_id,
    listing.shop_id,
  );
  if (!known) throw buildRefusal(404, VERBATIM.not_found);
  return known;
}

function getFile(call: Call, listing: Listing): ListingFile {
  const listing_file_id = getPathId(call, 'listing_file_id');
  const file = listFiles(call.db, listing.listing_id).find(
    (candidate) => candidate.listing_file_id === listing_file_id,
  );
  if (!file) throw buildRefusal(404, VERBATIM.not_found);
  return file;
}

function getFileId({ listing_file_id }: ListingFile): number {
  return listing_file_id;
}
