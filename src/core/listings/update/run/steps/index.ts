import type { ChangeStep } from '../changing.js';
import { attributesStep } from './attributes.js';
import { fieldsStep } from './fields.js';
import { filesStep } from './files.js';
import { imagesStep } from './images.js';
import { inventoryStep } from './inventory.js';
import { questionsStep } from './questions.js';
import { renewStep, stateStep } from './state.js';
import { translationsStep } from './translations.js';
import { variationImagesStep } from './variation_images.js';
import { videosStep } from './videos.js';

/** Steps run one after the other. A write may remove what a later step restores. */
export const CHANGES: readonly ChangeStep[] = [
  imagesStep,
  fieldsStep,
  videosStep,
  filesStep,
  renewStep,
  inventoryStep,
  variationImagesStep,
  attributesStep,
  questionsStep,
  stateStep,
  translationsStep,
];
