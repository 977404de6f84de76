import { extname } from 'node:path';
import type { DigitalIdentity } from '../../core/ports/media.js';
import { findDigitalType, isProgram } from './digital_types.js';
import { type FileReader, withFileReader } from './file_reader.js';

/** The name chooses the type, the bytes must be of it. The filename is only looked at, never used as a path. */
export async function identifyDigital(path: string, filename: string): Promise<DigitalIdentity> {
  return await withFileReader(path, (reader) => identifyDigitalBytes(reader, filename));
}

async function identifyDigitalBytes(reader: FileReader, filename: string): Promise<DigitalIdentity> {
  const extension = extname(filename).slice(1).toLowerCase();
  const type = findDigitalType(extension);
  if (type === undefined) return refuse(`The file's name must end in one of ${EXTENSIONS}.`);
  const head = await reader.read(0, Math.min(HEAD_BYTES, reader.size_bytes));
  if (head === undefined || head.length === 0) return refuse('The file is empty.');
  // A copy: the reader's window moves on when a check reads further.
  const first_bytes = Buffer.from(head);
  if (isProgram(first_bytes)) return refuse('The file is a program, which the marketplace does not take.');
  const is_match = await type.matches(reader, first_bytes);
  if (!is_match)
    return refuse(`The file's name ends in .${extension}, but its content is not ${type.label}.`);
  return { is_allowed: true, content_type: type.content_type, extension };
}

function refuse(reason: string): DigitalIdentity {
  return { is_allowed: false, reason };
}

const HEAD_BYTES = 4100;
const EXTENSIONS =
  '.bmp .doc .gif .jpeg .jpg .mobi .mov .mp3 .mpeg .pdf .png .psp .rtf .stl .txt .zip .ePUB .iBook';
