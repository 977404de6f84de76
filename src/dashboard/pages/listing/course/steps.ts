import type { ListingHistory } from '../../../../../schemas/listing.js';

type Words = { done: string; doing: string };

/** The steps of publishing, and of a change, in sellers' words. */
const WORDS: Record<string, Words> = {
  create: { done: 'Draft made', doing: 'making the draft' },
  images: { done: 'Photos sent', doing: 'sending photos' },
  videos: { done: 'Video sent', doing: 'sending the video' },
  files: { done: 'Digital files sent', doing: 'sending digital files' },
  inventory: { done: 'Variations, prices and stock set', doing: 'setting variations, prices and stock' },
  attributes: { done: 'Category details set', doing: 'setting category details' },
  variation_images: { done: 'Photos of variations set', doing: 'setting photos of variations' },
  personalization: { done: 'Personalization set', doing: 'setting personalization' },
  recover: { done: 'What was refused at first sent again', doing: 'sending again what was refused at first' },
  verify: { done: 'Read back and compared', doing: 'reading back and comparing' },
  decide: { done: 'Compared with the shop', doing: 'comparing with the shop' },
  fields: { done: 'Text and details changed', doing: 'changing text and details' },
  renew: { done: 'Renewed', doing: 'renewing it' },
  questions: { done: 'Personalization set', doing: 'setting personalization' },
  state: { done: 'Sale status changed', doing: 'changing its sale status' },
  translations: { done: 'Translations kept', doing: 'keeping translations' },
  read_back: { done: 'Read back and compared', doing: 'reading back and comparing' },
  activate: { done: 'Published', doing: 'publishing it' },
};

export function toStepWords(step: string): Words {
  const plain = step.replaceAll('_', ' ');
  return WORDS[step] ?? { done: plain, doing: plain };
}

type Progress = { done: number; total: number };

/** The steps of all shops together. */
export function countSteps({ shops }: ListingHistory): Progress {
  const steps = shops.flatMap((shop) => shop.steps);
  return { done: steps.filter(({ status }) => status === 'done').length, total: steps.length };
}
