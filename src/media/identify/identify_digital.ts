import { extname } from 'node:path';
import type { FileProblem } from '../../../schemas/issue.js';
import type { DigitalIdentity } from '../../core/ports/media.js';
import { findDigitalType, isProgram } from './digital_types.js';
import { type FileReader, withFileReader } from './file_reader.js';

/** The name selects the type, and the bytes must match it. The filename is never used as a path. */
export async function identifyDigital(path: string, filename: string): Promise<DigitalIdentity> {
  return await withFileReader(path, (reader) => identifyDigitalBytes(reader, filename));
}

async function identifyDigitalBytes(reader: FileReader, filename: string): Promise<DigitalIdentity> {
  const extension = extname(filename).slice(1).toLowerCase();
  const type = findDigitalType(extension);
  if (type === undefined) return refuse({ code: 'file_extension_wrong', params: { extensions: EXTENSIONS } });
  const head = await reader.read(0, Math.min(HEAD_BYTES, reader.size_bytes));
  if (head === undefined || head.length === 0) return refuse({ code: 'file_empty', params: {} });
  // A copy: the reader's window moves when a check reads further.
  const first_bytes = Buffer.from(head);
  if (isProgram(first_bytes)) return refuse({ code: 'file_is_program', params: {} });
  const isMatch = await type.matches(reader, first_bytes);
  if (!isMatch) return refuse({ code: 'file_content_wrong', params: { extension, expected: type.label } });
  return { is_allowed: true, content_type: type.content_type, extension };
}

function refuse(problem: FileProblem): DigitalIdentity {
  return { is_allowed: false, problem };
}

const HEAD_BYTES = 4100;
const EXTENSIONS =
  '.bmp .doc .gif .jpeg .jpg .mobi .mov .mp3 .mpeg .pdf .png .psp .rtf .stl .txt .zip .ePUB .iBook';
