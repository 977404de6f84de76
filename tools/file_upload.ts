import { uploadRequest, uploadResult } from '../schemas/upload.js';
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
    'Stores a photo, video or digital file and returns a service-upload:// url for listing_create. Over stdio give path (a file on this computer) or file (base64, up to 5 MB) with filename; over HTTP file, or neither to get a one-time upload_url. What the file is is decided by its bytes; WebP, AVIF and HEIC photos become JPEG. At most 100 MB; kept 30 days unless a listing uses it.',
  input: uploadRequest,
  output: uploadResult,
  errors: ['FILE_TOO_LARGE', 'QUOTA_EXCEEDED'],
  examples: fileUploadExamples,
  run: (core, input, call) => core.uploads.create(input, call),
});
