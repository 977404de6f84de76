import { leaveOutNew } from '../answers/associations.js';
import { toVideo } from '../answers/attachments.js';
import { created, NO_CONTENT, toList } from '../requests/call.js';
import type { Answer, Call, Route } from '../requests/call.js';
import { getPathId, parseInteger } from '../requests/fields.js';
import { INVENTED, VERBATIM } from '../requests/messages.js';
import { getListing, getOwnListing } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { MOST } from '../rules/choices.js';
import { checkMovie } from '../rules/videos.js';
import { listVideos } from '../store/attachments.js';
import type { ListingVideo } from '../store/attachments.js';
import { touchListing } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { keepBytes } from '../store/pictures.js';
import { takeId } from '../store/sequences.js';

const BASE = '/shops/:shop_id/listings/:listing_id/videos';

export const VIDEO_ROUTES: readonly Route[] = [
  {
    operation: 'uploadListingVideo',
    method: 'POST',
    path: BASE,
    scopes: ['listings_w'],
    body: 'multipart',
    run: uploadVideo,
  },
  {
    operation: 'getListingVideos',
    method: 'GET',
    path: '/listings/:listing_id/videos',
    scopes: [],
    run: (call) => {
      const videos = leaveOutNew(call, listVideos(call.db, getListing(call).listing_id));
      return toList(videos.map((video) => toVideo(video, call.origin)));
    },
  },
  {
    operation: 'deleteListingVideo',
    method: 'DELETE',
    path: `${BASE}/:video_id`,
    scopes: ['listings_w'],
    run: (call) => {
      const { listing } = getOwnListing(call);
      const { video_id } = getVideo(call, listing);
      call.db.run(
        'DELETE FROM listing_videos WHERE listing_id = ? AND video_id = ?',
        listing.listing_id,
        video_id,
      );
      touchListing(call.db, listing.listing_id, call.now_ms);
      return NO_CONTENT;
    },
  },
];

// A listing can have two, and a third never replaces one of them.
function uploadVideo(call: Call): Answer {
  const { listing } = getOwnListing(call);
  const attached = listVideos(call.db, listing.listing_id);
  const video = takeVideo(call, listing);
  const isAttached = attached.some((other) => other.video_id === video.video_id);
  if (!isAttached) {
    if (attached.length >= MOST.videos) throw buildRefusal(409, INVENTED.videos_full);
    call.db.run(
      `INSERT INTO listing_videos SELECT ?, ?, coalesce(max(position), 0) + 1 FROM listing_videos WHERE listing_id = ?`,
      listing.listing_id,
      video.video_id,
      listing.listing_id,
    );
    touchListing(call.db, listing.listing_id, call.now_ms);
  }
  return created(toVideo(video, call.origin));
}

function takeVideo(call: Call, listing: Listing): ListingVideo {
  const { db, fields, now_ms } = call;
  const upload = call.uploads.get('video');
  const name = fields.get('name') ?? '';
  if (upload && name !== '') {
    checkMovie(upload.bytes);
    const sha256 = keepBytes(db, upload.bytes, 'video/mp4');
    const video = {
      video_id: takeId(db, 'video'),
      shop_id: listing.shop_id,
      name,
      sha256,
      created_at: now_ms,
    };
    db.run('INSERT INTO videos VALUES (?,?,?,?,?)', video.video_id, video.shop_id, name, sha256, now_ms);
    return video;
  }
  const video_id = parseInteger(fields, 'video_id') ?? null;
  if (video_id === null) throw buildRefusal(400, INVENTED.video_missing);
  const known = db.find<ListingVideo>(
    'SELECT * FROM videos WHERE video_id = ? AND shop_id = ?',
    video_id,
    listing.shop_id,
  );
  if (!known) throw buildRefusal(404, VERBATIM.not_found);
  return known;
}

function getVideo(call: Call, listing: Listing): ListingVideo {
  const video_id = getPathId(call, 'video_id');
  const video = listVideos(call.db, listing.listing_id).find((candidate) => candidate.video_id === video_id);
  if (!video) throw buildRefusal(404, VERBATIM.not_found);
  return video;
}
