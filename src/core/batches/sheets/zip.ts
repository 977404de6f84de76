import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

const SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');

/** `read`: piece by piece; throws if the entry is damaged, or its length differs from `size_bytes`. */
export type ZipEntry = { name: string; size_bytes: number; read(): AsyncIterable<Buffer> };

export function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/**
 * Reads the directory of the file without unpacking anything. Undefined if the file is damaged or encrypted. @param most
 * entries to list
 */
export async function listEntries(bytes: Buffer, most: number): Promise<ZipEntry[] | undefined> {
  try {
    const zip = await fromBufferPromise(bytes);
    const entries: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entries.length === most) break;
      if (!entry.canDecodeFileData()) return undefined;
      entries.push({
        name: entry.fileName,
        size_bytes: entry.uncompressedSize,
        async *read() {
          yield* await zip.openReadStreamPromise(entry);
        },
      });
    }
    return entries;
  } catch {
    return undefined;
  }
}

export function writeZip(
  files: readonly (readonly [name: string, text: string | Buffer])[],
): Promise<Buffer> {
  const zip = new ZipFile();
  // A fixed time, so that equal rows give equal bytes.
  for (const [name, text] of files)
    zip.addBuffer(typeof text === 'string' ? Buffer.from(text) : text, name, { mtime: new Date(0) });
  zip.end();
  return buffer(zip.outputStream);
}
