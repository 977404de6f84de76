import type { ListingHistory } from '../../../../schemas/listing.js';

type Words = { done: string; doing: string };

/** What the steps of publishing are, to a seller. */
const WORDS: Record<string, Words> = {
  create: { done: 'Draft made', doing: 'making the draft' },
  images: { done: 'Photos sent', doing: 'sending photos' },
  videos: { done: 'Video sent', doing: 'sending the video' },
  files: { done: 'Files for buyers sent', doing: 'sending files for buyers' },
  inventory: { done: 'Variations, prices and stock set', doing: 'setting variations, prices and stock' },
  attributes: { done: 'Category details set', doing: 'setting category details' },
  variation_images: { done: 'Photos of variations set', doing: 'setting photos of variations' },
  personalization: { done: 'Personalization set', doing: 'setting personalization' },
  recover: { done: 'What was refused at first set again', doing: 'setting again what was refused at first' },
  verify: { done: 'Read back and compared', doing: 'reading back and comparing' },
  activate: { done: 'Put live', doing: 'putting it live' },
};

export function toStepWords(step: string): Words {
  return WORDS[step] ?? { done: step, doing: step };
}

export type Progress = { done: number; total: number };

/** Steps of all shops together. */
export function countSteps({ shops }: ListingHistory): Progress {
  const steps = shops.flatMap((shop) => shop.steps);
  return { done: steps.filter(({ status }) => status === 'done').length, total: steps.length };
}
