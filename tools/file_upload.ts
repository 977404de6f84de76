import { uploadRequest, uploadResult } from '../schemas/upload.js';
import { writeAnswer } from '../src/core/issues/answers.js';
import { defineOperation } from '../src/core/operations/operation.js';
import { fileUploadExamples } from './examples/uploads.js';

export default defineOperation({
  id: 'file_upload',
  route: { method: 'POST', path: '/uploads', body: 'multipart' },
  effect: 'create',
  reach: 'service',
  words: 'own',
  auth: 'key',
  tag: 'Images & Media',
  title: 'Upload a file',
  description:
    'Stores a photo, video, digital file or sheet and returns a service-upload:// url. Over stdio, give path or file; over HTTP, give file, or neither to get a one-time upload_url. The type is detected from the bytes; WebP, AVIF and HEIC photos become JPEG. At most 100 MB (sheet 10); kept for 30 days, or while a listing uses it.',
  input: uploadRequest,
  output: uploadResult,
  errors: ['FILE_TOO_LARGE', 'QUOTA_EXCEEDED'],
  examples: fileUploadExamples,
  run: async (core, input, call) => writeAnswer(await core.uploads.create(input, call)),
});
