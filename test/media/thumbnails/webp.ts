/** The size in a WebP file's header and the chunks it has (RFC 9649). Throws an Error for anything else. */
export function readWebp(bytes: Buffer = Buffer.alloc(0)): {
  width: number;
  height: number;
  chunks: string[];
} {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    throw new Error('this is no WebP');
  }
  const chunks: string[] = [];
  for (let offset = 12; offset + 8 <= bytes.length;) {
    chunks.push(bytes.toString('latin1', offset, offset + 4));
    const length = bytes.readUInt32LE(offset + 4);
    offset += 8 + length + (length % 2);
  }
  const [width, height] =
    chunks[0] === 'VP8X'
      ? [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
      : [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  return { width, height, chunks };
}
