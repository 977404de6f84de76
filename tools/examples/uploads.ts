import { UPLOAD_URL } from './taken.js';

/** One pixel is enough to show how bytes travel in JSON; over REST the file is a part of the form. */
const TINY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4oaEBAALUARk7rVwIAAAAAElFTkSuQmCC';

export const fileUploadExamples = [
  {
    summary: 'A photo',
    input: { type: 'image' as const, filename: 'mug.jpg', file: TINY_PNG },
    output: {
      url: UPLOAD_URL.value,
      filename: 'mug.jpg',
      size: 24178,
      content_type: 'image/jpeg',
      type: 'image' as const,
      note: 'Kept until 2026-12-02 (30 days), and longer while a listing uses it.',
    },
  },
];
