import { quoteName } from '../../../../errors.js';
import { MarketplaceError, type ListingFile } from '../../../../ports/index.js';
import { callRepeatably, describeFailure, getFile } from '../../../publish/steps/attempt.js';
import { finishSending, sendOnce, type Media } from '../../../publish/steps/send_once.js';
import { StepError } from '../../../publish/steps/step.js';
import { getTarget, writeOnce, type Changing, type ChangeStep } from '../changing.js';
import { findMediaId, listKnownIds, listMediaIds } from './media_ids.js';

/** Without its last file a digital listing becomes a physical one, so new files are sent before old ones are deleted. */
export const filesStep: ChangeStep = {
  name: 'files',
  isNeeded: (changing) =>
    listMissing(changing).length > 0 ||
    (getTarget(changing).files !== undefined &&
      String(listIds(changing)) !== String(listMediaIds(changing, 'files'))),
  async takeUp(changing) {
    const missing = listMissing(changing).filter((index) => getTarget(changing).files?.[index]?.file);
    await finishSending(changing, buildMedia(changing), missing);
  },
  async run(changing) {
    for (const index of listMissing(changing)) {
      // One file stays until the first of the others is there.
      if (listShown(changing).length >= MOST) {
        for (const file of listSurplus(changing).slice(0, MOST - 1)) await takeAway(changing, file);
      }
      await add(changing, index);
    }
    for (const file of listSurplus(changing)) await takeAway(changing, file);
    await order(changing);
  },
};

/** Files that a listing may have at most. */
const MOST = 5;

function listShown({ fresh }: Changing): ListingFile[] {
  return fresh.files ?? [];
}

function listIds(changing: Changing): number[] {
  return listShown(changing).map(({ listing_file_id }) => listing_file_id);
}

function listMissing(changing: Changing): number[] {
  const ids = new Set(listIds(changing));
  return [...(getTarget(changing).files ?? []).keys()].filter(
    (index) => !ids.has(findMediaId(changing, 'files', index) ?? 0),
  );
}

function listSurplus(changing: Changing): ListingFile[] {
  const wanted = new Set(listMediaIds(changing, 'files'));
  return listShown(changing).filter(({ listing_file_id }) => !wanted.has(listing_file_id));
}

async function takeAway(changing: Changing, { listing_file_id, filename }: ListingFile): Promise<void> {
  const { ports, shop, update } = changing;
  const rest = listShown(changing).filter((other) => other.listing_file_id !== listing_file_id);
  if (rest.length === 0)
    throw new StepError(`The last file, ${quoteName(filename)}, cannot be taken away`, null);
  await writeOnce(
    changing,
    ['files', 'listing'],
    (options) => ports.marketplace.deleteFile(shop, update.listing_id, listing_file_id, options),
    async () => !(await readFiles(changing)).some((other) => other.listing_file_id === listing_file_id),
  );
  keepFiles(changing, rest);
  changing.report(`file ${quoteName(filename)} removed`);
}

async function add(changing: Changing, index: number): Promise<void> {
  const listing_file_id = findMediaId(changing, 'files', index);
  if (listing_file_id !== null && (await tryAttach(changing, index, listing_file_id))) return;
  const error = await sendOnce(changing, buildMedia(changing), index);
  if (error) {
    const why = describeFailure(error, changing.again);
    throw new StepError(`File ${index + 1} could not be sent: ${why}`, error.status);
  }
  changing.report(`file ${index + 1}`);
}

async function tryAttach(changing: Changing, index: number, listing_file_id: number): Promise<boolean> {
  try {
    await attach(changing, listing_file_id, index + 1);
    changing.report(`file ${index + 1}`);
    return true;
  } catch (cause) {
    const isGone = cause instanceof MarketplaceError && ['refused', 'not_found'].includes(cause.failure);
    if (!isGone || !getTarget(changing).files?.[index]?.file) throw cause;
    return false;
  }
}

async function attach(changing: Changing, listing_file_id: number, rank: number): Promise<void> {
  const { ports, shop, update } = changing;
  const file = await writeOnce(
    changing,
    ['files', 'listing'],
    (options) => ports.marketplace.attachFile(shop, update.listing_id, listing_file_id, rank, options),
    async () => (await readFiles(changing))[rank - 1]?.listing_file_id === listing_file_id,
  );
  if (file) keepFiles(changing, insert(listShown(changing), file, rank));
}

/** Attaching a file again moves it to its new rank. */
async function order(changing: Changing): Promise<void> {
  for (const [index, id] of listMediaIds(changing, 'files').entries()) {
    if (listIds(changing)[index] !== id) await attach(changing, id, index + 1);
  }
}

function insert(files: readonly ListingFile[], file: ListingFile, rank: number): ListingFile[] {
  const others = files.filter(({ listing_file_id }) => listing_file_id !== file.listing_file_id);
  return others.toSpliced(rank - 1, 0, file);
}

function buildMedia(changing: Changing): Media {
  const { progress, ports, shop, update } = changing;
  return {
    kind: 'files',
    has: (index) => !listMissing(changing).includes(index),
    async send(index, options) {
      const planned = getTarget(changing).files?.[index]?.file;
      if (!planned)
        throw new StepError('A file is no longer in the shop, and its bytes are not kept here', null);
      const bytes = await getFile(changing, planned);
      const file = await ports.marketplace.uploadFile(shop, update.listing_id, bytes, index + 1, options);
      progress.sent.files[index] = file.listing_file_id;
      keepFiles(changing, insert(listShown(changing), file, index + 1));
    },
    async find(indexes) {
      await readFiles(changing);
      for (const index of indexes) {
        const planned = getTarget(changing).files?.[index]?.file;
        const known = listKnownIds(changing, 'files');
        const found = listShown(changing).find(
          ({ listing_file_id, filename, size_bytes }) =>
            !known.has(listing_file_id) &&
            filename === planned?.filename &&
            size_bytes === planned.size_bytes,
        );
        if (found) progress.sent.files[index] = found.listing_file_id;
      }
      return 'complete';
    },
  };
}

async function readFiles(changing: Changing): Promise<ListingFile[]> {
  const { ports, shop, update } = changing;
  const files = await callRepeatably(changing, () => ports.marketplace.listFiles(shop, update.listing_id));
  keepFiles(
    changing,
    files.toSorted((a, b) => a.rank - b.rank),
  );
  return listShown(changing);
}

function keepFiles(changing: Changing, files: ListingFile[]): void {
  changing.fresh = { ...changing.fresh, files };
  changing.stale.add('files').add('listing');
}
