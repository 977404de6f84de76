import { ServiceError } from '../../../../core/errors.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { buildValidationError } from '../../../../core/issues/issues.js';
import { MAX_FILE_BYTES, type Refused } from '../../../../core/ports/index.js';
import { Foreign, UploadFields } from '../../../../pages/index.js';
import { FormToken } from '../../../components/form_token.js';
import { Refusal } from '../../../components/notice.js';
import { toRefusal } from '../../../operations.js';
import type { Tasks } from '../../../tasks.js';
import { getListingPk } from '../../../ids.js';
import { Dashboard } from '../../../layout.js';
import type { Framing, OwnPost, Page } from '../../../page.js';
import { redirect, show } from '../../../replies.js';
import { toListingPath } from '../../../routes.js';
import { getDetail, isMoving, peekDetail, type Detail } from '../detail.js';
import { CHANGE_WAITS } from '../patience.js';
import { Gallery } from './gallery.js';

export const MOST_PHOTOS = 10;

/** Adds photos after the listing's existing ones: in the draft, or also in its shops. */
export function createAddPhotos(tasks: Tasks): Page {
  return {
    path: '/listings/{listing_pk}/add-photos',
    max_files: 1,
    async get(visit) {
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      if (isMoving(detail)) return redirect(toListingPath(detail.listing_pk));
      return <AddPhotos visit={visit} detail={detail} />;
    },
    async post(visit) {
      const listing_pk = getListingPk(visit);
      const refused = await add(visit, listing_pk);
      const detail = await peekDetail(visit, tasks, listing_pk);
      if (refused) {
        return show(<AddPhotos visit={visit} detail={detail} refused={refused} />, {
          status: refused.status,
        });
      }
      const href = toListingPath(listing_pk);
      return redirect(detail.status === 'draft' ? `${href}/add-photos` : href);
    },
  };

  async function add(visit: OwnPost, listing_pk: number): Promise<Refused | undefined> {
    const { operations, form, account_id } = visit;
    const { status } = await peekDetail(visit, tasks, listing_pk);
    const [file] = form.files;
    const [unfit] = form.refused;
    if (unfit) throw unfit.error;
    if (!file) throw buildValidationError([{ code: 'file_choice_required', at: 'file', params: {} }]);
    const kept = await operations.call('file_upload', { type: 'image' }, { file }).catch(toRefusal);
    if ('error' in kept) return kept.error;
    const url = kept.url ?? '';
    if (status === 'draft') {
      const changed = await append(visit, listing_pk, url).catch(toRefusal);
      return 'error' in changed ? changed.error : undefined;
    }
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const isStarted = await tasks.run(
        { account_id, listing_pk },
        () => append(visit, listing_pk, url, CHANGE_WAITS.job_ms),
        CHANGE_WAITS.patience_ms,
      );
      if (isStarted) return undefined;
    }
    throw new ServiceError('LISTING_BUSY', { code: 'photo_waited_too_long', params: {} });
  }

  /**
   * Adds the photo to the photos that the listing has at the time of the write, which may differ from those
   * before the upload.
   */
  async function append(visit: OwnPost, listing_pk: number, url: string, wait_ms?: number) {
    const { operations } = visit;
    for (let attempt = 1; ; attempt += 1) {
      const { request, updated_at: as_of } = await peekDetail(visit, tasks, listing_pk);
      const images = [...(request.images ?? []), buildImage(request, url)];
      const call = { as_of, ...(wait_ms !== undefined && { wait_ms }) };
      const changed = await operations
        .call('listing_update', { listing_pk, changes: { images } }, call)
        .catch(toRefusal);
      if (!('error' in changed)) return changed;
      const now = await peekDetail(visit, tasks, listing_pk);
      if (attempt === MOST_ATTEMPTS || now.updated_at === as_of) throw changed;
    }
  }
}

/**
 * How often adding a photo to a listing that others are changing is retried: once for each photo that others
 * may add.
 */
const MOST_ATTEMPTS = MOST_PHOTOS;

/** Appends it; either all photos have a rank or none. */
function buildImage({ images = [] }: ListingRequest, url: string) {
  const ranks = images.flatMap(({ rank }) => rank ?? []);
  return { url, ...(ranks.length > 0 && { rank: Math.max(...ranks) + 1 }) };
}

type Props = { visit: Framing; detail: Detail; refused?: Refused };

function AddPhotos({ visit, detail, refused }: Props) {
  const { listing_pk, title, status, request } = detail;
  const count = request.images?.length ?? 0;
  const href = toListingPath(listing_pk);
  return (
    <Dashboard
      visit={visit}
      title={`Photos: ${title}`}
      section="Listings"
      width="narrow"
      scripts={['upload']}
    >
      <div class="stack tight">
        <p class="crumbs">
          <a href={href}>
            <Foreign text={title} />
          </a>
        </p>
        <h1>Add photos</h1>
        <p class="note">
          {count} of {MOST_PHOTOS} so far. The first is the one that buyers see in search.
        </p>
        {status !== 'draft' && (
          <p>A photo that you upload here is added to the listing in all its shops at once.</p>
        )}
      </div>
      {refused && <Refusal error={refused} />}
      {count > 0 && <Gallery listing={detail} request={request} />}
      {count < MOST_PHOTOS ? (
        <form
          class="card"
          method="post"
          action={`${href}/add-photos`}
          encType="multipart/form-data"
          data-upload={MAX_FILE_BYTES}
        >
          <FormToken visit={visit} />
          <UploadFields accept="image/*">
            A JPG, PNG or GIF of at most 100 MB; HEIC, WebP and AVIF are turned into JPEG.
          </UploadFields>
        </form>
      ) : (
        <p>It has as many photos as a listing may have.</p>
      )}
      <p>
        <a class={count > 0 ? 'button' : 'button quiet'} href={href}>
          {count > 0 ? 'Done: back to the listing' : 'Back to the listing'}
        </a>
      </p>
    </Dashboard>
  );
}
