import { z } from 'zod/v3';
import { warning, type Warning, type WithFacts } from './job.js';

export const uploadType = z.enum(['image', 'video', 'digital', 'sheet']);
export type UploadType = z.infer<typeof uploadType>;

export const uploadRequest = z.object({
  type: uploadType.default('image'),
  path: z
    .string()
    .optional()
    .describe(
      'Over stdio: a file on this computer, such as ~/Downloads/mug.jpg; a folder returns its file names. Give exactly one of path and file',
    ),
  // The bound is that of a request; a file that is too large has its own error.
  file: z.string().max(16_000_000).optional().describe('The bytes in base64, up to 5 MB'),
  filename: z.string().optional().describe('The file name; required with file'),
});

export const uploadResult = z.object({
  url: z
    .string()
    .optional()
    .describe('service-upload:// URL for images[].url, digital_files[].url, videos[].url, sheet'),
  filename: z.string().optional(),
  size: z.number().int().optional().describe('Bytes'),
  content_type: z.string().optional(),
  type: uploadType,
  note: z.string(),
  warnings: z.array(warning).optional(),
  upload_url: z
    .string()
    .optional()
    .describe(
      'Only if neither path nor file was given: open it, or POST the file there once, within 15 minutes',
    ),
});
export type UploadResult = WithFacts<z.input<typeof uploadResult>, { warnings: Warning[] }>;
