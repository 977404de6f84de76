import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { quoteName } from '../../text/foreign.js';
import {
  MarketplaceError,
  type CallOptions,
  type ListingFile,
  type ListingVideo,
  type MediaFile,
} from '../../ports/index.js';
import type { PlannedFile } from '../../ports/listing/target.js';
import { callRepeatably, getFile } from '../engine/attempt.js';
import { toCallFailed, toFileNotSent, StepError } from '../engine/failures.js';
import { getListingId, type Context } from '../engine/context.js';
import { findMediaId, listKnownIds, listMediaIds, listMissing } from '../engine/media_ids.js';
import { finishSending, sendOnce, type Media } from '../engine/send_once.js';
import type { StepOutcome, Write } from '../engine/step.js';
import { keepKnown, markStale, write } from '../engine/write.js';

/** The particulars of videos or digital files. */
type Shelf<Item> = {
  kind: 'videos' | 'files';
  /** The most a listing may have. */
  most: number;
  isOrdered: boolean;
  getId(item: Item): number;
  /** Undefined: not read. */
  findShown(cx: Context): readonly Item[] | undefined;
  keepShown(cx: Context, items: Item[]): void;
  keepSent(cx: Context, index: number, item: Item): void;
  /** Whether an unknown item is the sent one. */
  isLike(item: Item, planned: PlannedFile): boolean;
  calls(cx: Context): {
    list(): Promise<Item[]>;
    upload(file: MediaFile, rank: number, options: CallOptions): Promise<Item>;
    attach(id: number, rank: number, options: CallOptions): Promise<Item>;
    remove(id: number, options: CallOptions): Promise<void>;
  };
  /** Its name in reports. */
  describe(cx: Context, index: number): string;
  describeRemoved(item: Item): string;
  /** @throws StepError if the listing must keep one */
  expectRest(rest: readonly Item[], removed: Item): void;
  toOutcome(cx: Context, index: number, error: MarketplaceError): StepOutcome;
};

/** Videos have no order. A deleted one can be attached again. */
export const videosStep = buildStep<ListingVideo>({
  kind: 'videos',
  most: MARKETPLACE_FACTS.videos_per_listing,
  isOrdered: false,
  getId: ({ video_id }) => video_id,
  findShown: ({ fresh }) => fresh.videos,
  keepShown: (cx, videos) => keepKnown(cx, { videos }),
  keepSent: ({ sent }, index, video) => sent.keep('videos', index, video),
  // Nothing in the response distinguishes videos.
  isLike: () => true,
  calls(cx) {
    const { shop, ports } = cx;
    const { marketplace } = ports;
    const listing_id = getListingId(cx);
    return {
      list: () => marketplace.listVideos(shop, listing_id),
      upload: (file, _rank, options) => marketplace.uploadVideo(shop, listing_id, file, options),
      attach: (id, _rank, options) => marketplace.attachVideo(shop, listing_id, id, options),
      remove: (id, options) => marketplace.deleteVideo(shop, listing_id, id, options),
    };
  },
  describe: () => 'video',
  describeRemoved: () => 'video removed',
  expectRest: () => undefined,
  toOutcome({ again }, index, error) {
    const reason = toCallFailed('videos', error, again);
    return {
      warnings: [{ code: 'video_failed', fields: [`videos[${index}]`], reason }],
      missing: { error: reason, marketplace_status: error.status },
    };
  },
});

/**
 * Digital files, in order. A digital listing that loses its last file becomes a physical one. New files are
 * therefore sent before old ones are deleted, and a file that cannot be sent is an error of the shop.
 */
export const filesStep = buildStep<ListingFile>({
  kind: 'files',
  most: 5,
  isOrdered: true,
  getId: ({ listing_file_id }) => listing_file_id,
  findShown: ({ fresh }) => fresh.files,
  keepShown: (cx, files) => keepKnown(cx, { files }),
  keepSent: ({ sent }, index, file) => sent.keep('files', index, file),
  isLike: ({ filename, size_bytes }, planned) =>
    filename === planned.filename && size_bytes === planned.size_bytes,
  calls(cx) {
    const { shop, ports } = cx;
    const { marketplace } = ports;
    const listing_id = getListingId(cx);
    return {
      list: async () => {
        const files = await marketplace.listFiles(shop, listing_id);
        return files.toSorted((a, b) => a.rank - b.rank);
      },
      upload: (file, rank, options) => marketplace.uploadFile(shop, listing_id, file, rank, options),
      attach: (id, rank, options) => marketplace.attachFile(shop, listing_id, id, rank, options),
      remove: (id, options) => marketplace.deleteFile(shop, listing_id, id, options),
    };
  },
  describe: ({ policy, target }, index) => policy.words.file(index, target.files?.length ?? 0),
  describeRemoved: ({ filename }) => `file ${quoteName(filename)} removed`,
  expectRest(rest, { filename }) {
    if (rest.length === 0) throw new StepError({ code: 'last_file_stays', params: { filename } }, null);
  },
  toOutcome({ again, target }, index, error) {
    const filename = target.files?.[index]?.file?.filename ?? '';
    throw new StepError(toFileNotSent(filename, error, again), error.status);
  },
});

function buildStep<Item>(shelf: Shelf<Item>): Write {
  const { kind, most, isOrdered, getId, isLike } = shelf;

  const listShown = (cx: Context) => shelf.findShown(cx) ?? [];
  const listIds = (cx: Context) => listShown(cx).map(getId);
  const findPlanned = ({ target }: Context, index: number) => target[kind]?.[index]?.file ?? undefined;

  function listSurplus(cx: Context): Item[] {
    if (!cx.target[kind]) return [];
    const wanted = new Set(listMediaIds(cx, kind));
    return listShown(cx).filter((item) => !wanted.has(getId(item)));
  }

  function isInOrder(cx: Context): boolean {
    return !cx.target[kind] || String(listIds(cx)) === String(listMediaIds(cx, kind));
  }

  function keep(cx: Context, items: Item[]): void {
    shelf.keepShown(cx, items);
    markStale(cx, [kind, 'listing']);
  }

  function insert(cx: Context, item: Item, rank: number): void {
    const others = listShown(cx).filter((other) => getId(other) !== getId(item));
    keep(cx, others.toSpliced(rank - 1, 0, item));
  }

  async function read(cx: Context): Promise<Item[]> {
    const items = await callRepeatably(cx, () => shelf.calls(cx).list());
    keep(cx, items);
    return items;
  }

  async function removeItem(cx: Context, item: Item): Promise<void> {
    const id = getId(item);
    const rest = listShown(cx).filter((other) => getId(other) !== id);
    shelf.expectRest(rest, item);
    await write(
      cx,
      [kind, 'listing'],
      (options) => shelf.calls(cx).remove(id, options),
      async () => !(await read(cx)).some((other) => getId(other) === id),
    );
    keep(cx, rest);
    cx.report(shelf.describeRemoved(item));
  }

  /** Attaching a file again moves it to its new rank. */
  async function attach(cx: Context, id: number, rank: number): Promise<void> {
    const item = await write(
      cx,
      [kind, 'listing'],
      (options) => shelf.calls(cx).attach(id, rank, options),
      async () => {
        const ids = (await read(cx)).map(getId);
        return isOrdered ? ids[rank - 1] === id : ids.includes(id);
      },
    );
    if (item) insert(cx, item, rank);
  }

  async function tryAttach(cx: Context, index: number, id: number): Promise<boolean> {
    try {
      await attach(cx, id, index + 1);
      return true;
    } catch (cause) {
      const isGone = cause instanceof MarketplaceError && ['refused', 'not_found'].includes(cause.failure);
      if (!isGone || !findPlanned(cx, index)) throw cause;
      return false;
    }
  }

  async function add(cx: Context, index: number): Promise<StepOutcome> {
    const id = findMediaId(cx, kind, index);
    if (id === null || !(await tryAttach(cx, index, id))) {
      const error = await sendOnce(cx, buildMedia(cx), index);
      if (error) return shelf.toOutcome(cx, index, error);
    }
    cx.report(shelf.describe(cx, index));
    return {};
  }

  function buildMedia(cx: Context): Media {
    return {
      kind,
      has: (index) => !listMissing(cx, kind).includes(index),
      async send(index, options) {
        const planned = findPlanned(cx, index);
        const params = { kind: kind === 'videos' ? 'video' : 'file', index } as const;
        if (!planned) throw new StepError({ code: 'media_not_kept', params }, null);
        const item = await shelf.calls(cx).upload(await getFile(cx, planned), index + 1, options);
        shelf.keepSent(cx, index, item);
        insert(cx, item, index + 1);
      },
      async find(indexes) {
        const items = await read(cx);
        for (const index of indexes) {
          const planned = findPlanned(cx, index);
          const known = listKnownIds(cx, kind);
          const found = items.find((item) => !known.has(getId(item)) && planned && isLike(item, planned));
          if (found) shelf.keepSent(cx, index, found);
        }
        return 'complete';
      },
    };
  }

  return {
    isOpen: (cx) =>
      listMissing(cx, kind).length > 0 || (isOrdered ? !isInOrder(cx) : listSurplus(cx).length > 0),
    async resume(cx) {
      const missing = listMissing(cx, kind).filter((index) => findPlanned(cx, index) !== undefined);
      await finishSending(cx, buildMedia(cx), missing);
    },
    async run(cx) {
      for (const index of listMissing(cx, kind)) {
        // Keeps one file until the first of the others is stored.
        const surplus = listShown(cx).length >= most ? listSurplus(cx) : [];
        for (const item of surplus.slice(0, Math.max(1, most - 1))) await removeItem(cx, item);
        const outcome = await add(cx, index);
        if (outcome.missing) return outcome;
      }
      for (const item of listSurplus(cx)) await removeItem(cx, item);
      if (!isOrdered || !shelf.findShown(cx)) return {};
      for (const [index, id] of listMediaIds(cx, kind).entries()) {
        if (listIds(cx)[index] !== id) await attach(cx, id, index + 1);
      }
      return {};
    },
  };
}
