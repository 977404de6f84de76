import type { Plan, PublishAction } from '../../ports/listing/plan.js';
import type { Target } from '../../ports/listing/target.js';
import type { Step } from '../engine/step.js';
import { filesStep, videosStep } from './attachments.js';
import { attributesStep } from './attributes.js';
import { createStep } from './create/create.js';
import { fieldsStep } from './fields.js';
import { inventoryStep } from './inventory.js';
import { imagesStep } from './photos/step.js';
import { questionsStep } from './questions.js';
import { recoverStep } from './recover.js';
import { activateStep } from './sale/activate.js';
import { renewStep, stateStep } from './sale/state.js';
import { translationsStep } from './translations.js';
import { variationImagesStep } from './variation_images.js';
import { verifyStep } from './verify.js';

const countItems = (part: 'images' | 'files' | 'attributes') => (target: Target) => {
  const count = target[part]?.length ?? 0;
  return { reports: count, calls: count };
};

/** Publishing, up to the last write: each step starts as soon as the steps it needs are done, in parallel with others. */
const WRITES: readonly Step[] = [
  createStep,
  {
    ...imagesStep,
    name: 'images',
    part: 'images',
    needs: ['create'],
    count: countItems('images'),
  },
  { ...videosStep, name: 'videos', part: 'videos', needs: ['create'] },
  {
    ...filesStep,
    name: 'files',
    part: 'files',
    needs: ['create'],
    count: countItems('files'),
  },
  {
    ...inventoryStep,
    name: 'inventory',
    work: 'inventory',
    part: 'inventory',
    // A file makes a listing digital and removes its variations.
    needs: ['create', 'files'],
    listFieldsLeft: () => ['variations'],
  },
  {
    ...attributesStep,
    name: 'attributes',
    work: 'attributes',
    part: 'attributes',
    needs: ['create', 'files'],
    listFieldsLeft: () => ['category_attributes'],
    count: countItems('attributes'),
  },
  {
    ...variationImagesStep,
    name: 'variation_images',
    work: 'variation_images',
    part: 'variation_images',
    // Value ids exist only after the inventory write.
    needs: ['images', 'inventory'],
    listFieldsLeft: () => ['variations.variation_images'],
    // One read of the inventory, one write.
    count: () => ({ reports: 1, calls: 2 }),
  },
  {
    ...questionsStep,
    name: 'personalization',
    work: 'personalization',
    part: 'questions',
    needs: ['create', 'files'],
    listFieldsLeft: () => ['personalization'],
  },
  recoverStep,
];

/** Publishing. */
export const PIPELINE: readonly Step[] = [
  ...WRITES,
  { ...verifyStep, needs: WRITES.map(({ name }) => name) },
  activateStep,
];

/** Changes: steps run one after the other. A write may remove data that a later step restores. */
export const CHANGES: readonly Step[] = [
  { ...imagesStep, name: 'images', work: 'change_images' },
  fieldsStep,
  { ...videosStep, name: 'videos', work: 'change_videos' },
  { ...filesStep, name: 'files', work: 'change_files' },
  renewStep,
  { ...inventoryStep, name: 'inventory', work: 'change_inventory' },
  { ...variationImagesStep, name: 'variation_images', work: 'variation_images', is_restoring: true },
  { ...attributesStep, name: 'attributes', work: 'attribute' },
  { ...questionsStep, name: 'questions', work: 'personalization' },
  stateStep,
  translationsStep,
];

/** The publishing steps that a target asks for. */
export function listSteps(target: Target): Step[] {
  return PIPELINE.filter(({ part }) => part === undefined || target[part] !== undefined);
}

/** The number of progress units of a job: one for each report of each step. */
export function countUnits(plan: Plan<PublishAction>): number {
  return plan.shops.reduce((all, { action }) => all + sum(action.target, 'reports'), 0);
}

/** Marketplace calls that publishing makes in one shop if everything succeeds. */
export function countCalls(target: Target): number {
  return sum(target, 'calls');
}

function sum(target: Target, kind: 'reports' | 'calls'): number {
  return listSteps(target).reduce((all, step) => all + (step.count?.(target)[kind] ?? 1), 0);
}
