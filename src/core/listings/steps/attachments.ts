import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { quoteName } from '../../text/foreign.js';
import { type MarketplaceError, type CallOptions, type MediaFile } from '../../ports/index.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { PlannedFile } from '../../ports/listing/target.js';
import { callRepeatably, getFile } from '../engine/attempt.js';
import { toCallFailed, toFileNotSent, StepError } from '../engine/failures.js';
import { getListingId, type Context } from '../engine/context.js';
import {
  insert,
  isInOrder,
  listKnownIds,
  listMediaIds,
  listMissing,
  listShown,
  listSurplus,
} from '../engine/media_ids.js';
import { attachOrSend, finishSending, type Media } from '../engine/send_once.js';
import type { StepOutcome, Write } from '../engine/step.js';
import { keepKnown, markStale, write } from '../engine/write.js';
import { getMediaId, listShownIds } from '../snapshot/shown_ids.js';

/** The particulars of videos or digital files. */
type Shelf<Kind extends 'videos' | 'files', Item = ListingSnapshot[Kind][number]> = {
  kind: Kind;
  /** The most a listing may have. */
  most: number;
  isOrdered: boolean;
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
export const videosStep = buildStep({
  kind: 'videos',
  most: MARKETPLACE_FACTS.videos_per_listing,
  isOrdered: false,
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
export const filesStep = buildStep({
  kind: 'files',
  most: 5,
  isOrdered: true,
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

function buildStep<Kind extends 'videos' | 'files'>(shelf: Shelf<Kind>): Write {
  type Item = ListingSnapshot[Kind][number];
  const { kind, most, isOrdered, isLike } = shelf;

  function keep(cx: Context, items: Item[]): void {
    keepKnown(cx, { [kind]: items });
    markStale(cx, [kind, 'listing']);
  }

  async function read(cx: Context): Promise<Item[]> {
    const items = await callRepeatably(cx, () => shelf.calls(cx).list());
    keep(cx, items);
    return items;
  }

  async function removeItem(cx: Context, item: Item): Promise<void> {
    const id = getMediaId(item);
    const rest = listShown(cx, kind).filter((other) => getMediaId(other) !== id);
    shelf.expectRest(rest, item);
    await write(
      cx,
      [kind, 'listing'],
      (options) => shelf.calls(cx).remove(id, options),
      async () => !(await read(cx)).some((other) => getMediaId(other) === id),
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
        const ids = (await read(cx)).map(getMediaId);
        return isOrdered ? ids[rank - 1] === id : ids.includes(id);
      },
    );
    if (item) keep(cx, insert(listShown(cx, kind), item, rank));
  }

  async function add(cx: Context, index: number): Promise<StepOutcome> {
    const error = await attachOrSend(cx, buildMedia(cx), index, (id) => attach(cx, id, index + 1));
    if (error) return shelf.toOutcome(cx, index, error);
    cx.report(shelf.describe(cx, index));
    return {};
  }

  function buildMedia(cx: Context): Media {
    const findFile = (index: number) => cx.target[kind]?.[index]?.file ?? undefined;
    return {
      kind,
      findFile,
      async send(index, planned, options) {
        const item = await shelf.calls(cx).upload(await getFile(cx, planned), index + 1, options);
        cx.sent.keep(index, item);
        keep(cx, insert(listShown(cx, kind), item, index + 1));
      },
      async find(indexes) {
        const items = await read(cx);
        for (const index of indexes) {
          const planned = findFile(index);
          const known = listKnownIds(cx, kind);
          const found = items.find(
            (item) => !known.has(getMediaId(item)) && planned && isLike(item, planned),
          );
          if (found) cx.sent.keep(index, found);
        }
        return 'complete';
      },
    };
  }

  return {
    isOpen: (cx) =>
      listMissing(cx, kind).length > 0 ||
      (isOrdered ? !isInOrder(cx, kind) : listSurplus(cx, kind).length > 0),
    resume: (cx) => finishSending(cx, buildMedia(cx)),
    async run(cx) {
      for (const index of listMissing(cx, kind)) {
        // Keeps one file until the first of the others is stored.
        const surplus = listShown(cx, kind).length >= most ? listSurplus(cx, kind) : [];
        for (const item of surplus.slice(0, Math.max(1, most - 1))) await removeItem(cx, item);
        const outcome = await add(cx, index);
        if (outcome.missing) return outcome;
      }
      for (const item of listSurplus(cx, kind)) await removeItem(cx, item);
      if (!isOrdered || !cx.fresh[kind]) return {};
      for (const [index, id] of listMediaIds(cx, kind).entries()) {
        if (listShownIds(cx.fresh, kind)?.[index] !== id) await attach(cx, id, index + 1);
      }
      return {};
    },
  };
}
