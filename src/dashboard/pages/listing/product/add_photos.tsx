import type { ErrorBody } from '../../../../../schemas/error.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { buildValidationError } from '../../../../core/errors.js';
import { MAX_FILE_BYTES } from '../../../../core/ports/index.js';
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
import { getDetail, isMoving, type Detail } from '../detail.js';
import { CHANGE_WAITS } from '../patience.js';
import { Gallery } from './gallery.js';

export const MOST_PHOTOS = 10;

/** Adds photos behind those that the listing has: in the draft, or in its shops too. */
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
      const detail = await getDetail(visit, tasks, getListingPk(visit));
      const refused = await add(visit, detail);
      if (refused) {
        return show(<AddPhotos visit={visit} detail={detail} refused={refused} />, {
          status: refused.status,
        });
      }
      const href = toListingPath(detail.listing_pk);
      return redirect(detail.status === 'draft' ? `${href}/add-photos` : href);
    },
  };

  async function add(visit: OwnPost, detail: Detail): Promise<ErrorBody['error'] | undefined> {
    const { operations, form, account_id } = visit;
    const [file] = form.files;
    const [unfit] = form.refused;
    if (unfit) throw unfit.error;
    if (!file) throw buildValidationError([{ path: 'file', message: 'is required: choose one' }]);
    const kept = await operations.call('file_upload', { type: 'image' }, { file }).catch(toRefusal);
    if ('error' in kept) return kept.error;
    const { listing_pk } = detail;
    const images = [...(detail.request.images ?? []), buildImage(detail.request, kept.url ?? '')];
    const input = { listing_pk, changes: { images } };
    if (detail.status === 'draft') {
      const changed = await operations.call('listing_update', input).catch(toRefusal);
      return 'error' in changed ? changed.error : undefined;
    }
    await tasks.run(
      { account_id, listing_pk },
      () => operations.call('listing_update', input, { wait_ms: CHANGE_WAITS.job_ms }),
      CHANGE_WAITS.patience_ms,
    );
    return undefined;
  }
}

/** Behind the others; either all photos have a rank or none. */
function buildImage({ images = [] }: ListingRequest, url: string) {
  const ranks = images.flatMap(({ rank }) => rank ?? []);
  return { url, ...(ranks.length > 0 && { rank: Math.max(...ranks) + 1 }) };
}

type Props = { visit: Framing; detail: Detail; refused?: ErrorBody['error'] };

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
