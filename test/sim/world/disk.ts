import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Blobs, Media, StagedFile } from '../../../src/core/ports/index.js';
import { MediaError } from '../../../src/core/ports/index.js';
import type { Chance } from '../kernel/chance.js';
import type { Schedule } from '../kernel/schedule.js';
import type { Door } from './marketplace.js';
import type { Owner } from './network.js';

export type Kept = { bytes: Buffer; put_ms: number };

/**
 * The folder of kept bytes, one for all computers of a database: bytes that were put and synced survive every
 * crash.
 */
export type Disk = {
  /** The view of one life of one program. Its staged bytes end with it. */
  mount(owner: Owner): { blobs: Blobs; media: Media };
  blobs: ReadonlyMap<string, Kept>;
};

const SYNC_MS = { least: 1, most: 12 };

/** @param options `folder`: staged files are also there, for code that reads them from a path */
export function createDisk({
  folder,
  schedule,
  chance,
  door,
  kept = new Map(),
}: {
  folder: string;
  schedule: Schedule;
  chance: Chance;
  door: Door;
  kept?: ReadonlyMap<string, Kept>;
}): Disk {
  const blobs = new Map(kept);
  const staging_folder = join(folder, 'staged');
  mkdirSync(staging_folder, { recursive: true });
  let staged_count = 0;

  return { mount, blobs };

  function mount(owner: Owner): { blobs: Blobs; media: Media } {
    const staging = new Map<string, { bytes: Buffer; at_ms: number }>();
    /** Resolves when the disk has it; never, if the program ends before. */
    const sync = (): Promise<void> =>
      new Promise(
        (resolve) => void schedule.after(chance.between(SYNC_MS.least, SYNC_MS.most), resolve, owner),
      );

    const stage = (bytes: Buffer): StagedFile => {
      staged_count += 1;
      const path = join(staging_folder, String(staged_count));
      writeFileSync(path, bytes);
      staging.set(path, { bytes, at_ms: schedule.now() });
      return { path, sha256: createHash('sha256').update(bytes).digest('hex'), size_bytes: bytes.length };
    };
    const read = (path: string): Buffer => {
      const found = staging.get(path);
      if (!found) throw new MediaError('unreadable', `nothing is staged at ${path}`);
      return found.bytes;
    };

    return {
      blobs: {
        async put({ path, sha256, size_bytes }) {
          await sync();
          const found = staging.get(path);
          if (!found && !blobs.has(sha256)) throw new Error('neither staged nor kept');
          if (found) blobs.set(sha256, { bytes: found.bytes, put_ms: schedule.now() });
          staging.delete(path);
          await sync();
          return { sha256, size_bytes };
        },
        async open(sha256) {
          const found = blobs.get(sha256);
          return found && open(found.bytes);
        },
        async delete(sha256, put_before) {
          const found = blobs.get(sha256);
          return found !== undefined && found.put_ms < put_before.getTime() && blobs.delete(sha256);
        },
        async list(put_before) {
          return [...blobs].flatMap(([sha256, { put_ms }]) =>
            put_ms < put_before.getTime() ? [sha256] : [],
          );
        },
      },
      media: {
        async fetchFile(url) {
          const { pathname, search } = new URL(url);
          const answer = await door.receive({
            method: 'GET',
            path: pathname + search,
            headers: {},
            body: undefined,
          });
          if (answer.status !== 200) throw new MediaError(`status_${answer.status}`, 'not there');
          await sync();
          return stage(answer.bytes ?? Buffer.from(answer.text));
        },
        fetchDocument: () => Promise.reject(new MediaError('dns', 'there are no documents here')),
        async stage(stream) {
          const pieces: Buffer[] = [];
          for await (const piece of stream) pieces.push(Buffer.from(piece as Uint8Array));
          return stage(Buffer.concat(pieces));
        },
        async identify(path) {
          const head = read(path).toString('latin1', 0, 8);
          if (head.includes('PNG'))
            return {
              content_type: 'image/png',
              extension: 'png',
              width: 1200,
              height: 900,
              may_be_transparent: false,
              video: null,
            };
          if (head.includes('ftyp')) {
            const video = { duration_seconds: 5, has_sound: false, width: 1200, height: 900 };
            return {
              content_type: 'video/mp4',
              extension: 'mp4',
              width: null,
              height: null,
              may_be_transparent: false,
              video,
            };
          }
          return {
            content_type: null,
            extension: null,
            width: null,
            height: null,
            may_be_transparent: false,
            video: null,
          };
        },
        identifyDigital: () =>
          Promise.resolve({ is_allowed: true, content_type: 'application/pdf', extension: 'pdf' }),
        stripLocation: (staged) => Promise.resolve(staged),
        turnPhoto: () =>
          Promise.reject(new MediaError('unreadable', 'there are no photos of other formats here')),
        getFigures: () => ({ fetches: 0 }),
        async discard({ path }) {
          staging.delete(path);
          rmSync(path, { force: true });
        },
        async sweepStaging(staged_before) {
          let swept = 0;
          for (const [path, { at_ms }] of staging) {
            if (at_ms < staged_before.getTime() && staging.delete(path)) swept += 1;
          }
          return swept;
        },
        findThumbnail: () => Promise.resolve(undefined),
        removeThumbnails: () => Promise.resolve(),
        sweepThumbnails: () => Promise.resolve(0),
        checkUrl: (url) => new URL(url),
      },
    };
  }
}

function open(bytes: Buffer) {
  async function* stream(memory?: Buffer): AsyncGenerator<Buffer> {
    if (memory && memory.length >= bytes.length) bytes.copy(memory);
    yield memory && memory.length >= bytes.length ? memory.subarray(0, bytes.length) : bytes;
  }
  return { size_bytes: bytes.length, stream: stream(), streamThrough: (memory: Buffer) => stream(memory) };
}

/** A video and a digital file, different for each number, as far as anything checks. */
export function drawVideo(number: number): Buffer {
  const bytes = Buffer.alloc(64, number);
  bytes.write('\0\0\0\x18ftypisom', 'latin1');
  return bytes;
}

export function drawFile(number: number): Buffer {
  return Buffer.from(`%PDF-1.4 the pattern number ${number}`);
}

/** A small picture, different for each number: the head of a PNG, and a body that nothing checks. */
export function drawPhoto(number: number): Buffer {
  const bytes = Buffer.alloc(64, number);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(1200, 16);
  bytes.writeUInt32BE(900, 20);
  bytes.writeUInt32BE(number, 40);
  return bytes;
}
