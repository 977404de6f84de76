import { activateStep } from './activate.js';
import { filesStep, videosStep } from './attachments.js';
import { attributesStep } from './attributes.js';
import { createStep } from './create.js';
import { imagesStep } from './images.js';
import { inventoryStep } from './inventory.js';
import { personalizationStep } from './personalization.js';
import { recoverStep } from './recover.js';
import type { Step } from './step.js';
import { variationImagesStep } from './variation_images.js';
import { verifyStep } from './verify.js';

/** The pipeline: a step starts as soon as those it needs are done, beside all others that can. */
export const PIPELINE: readonly Step[] = [
  createStep,
  imagesStep,
  videosStep,
  filesStep,
  inventoryStep,
  attributesStep,
  variationImagesStep,
  personalizationStep,
  recoverStep,
  verifyStep,
  activateStep,
];
