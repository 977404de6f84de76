type PictureFacts = { content_type: string; width: number; height: number };

/**
 * Recognizes JPEG, PNG or GIF by their first bytes, with the size; undefined for everything else, including
 * WebP.
 */
export function readPicture(bytes: Buffer): PictureFacts | undefined {
  return readPng(bytes) ?? readGif(bytes) ?? readJpeg(bytes);
}

function readPng(bytes: Buffer): PictureFacts | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  return { content_type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): PictureFacts | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { content_type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

const JPEG_WITHOUT_LENGTH = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8]);
const JPEG_NO_FRAME = new Set([0xc4, 0xc8, 0xcc]);

// Walks the segments up to the frame header; each step goes forward, so the walk ends.
function readJpeg(bytes: Buffer): PictureFacts | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !JPEG_NO_FRAME.has(marker);
    if (isFrame) {
      return {
        content_type: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    }
    at += JPEG_WITHOUT_LENGTH.has(marker) ? 2 : 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}
