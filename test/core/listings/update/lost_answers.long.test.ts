import { sample } from '../../../whole.js';
import { describeLostAnswers } from './lost_answers.js';

const OPERATIONS = [
  'uploadListingImage',
  'uploadListingVideo',
  'updateListing',
  'updateListingInventory',
  'updateVariationImages',
  'updateListingProperty',
  'updateListingPersonalization',
  'createListingTranslation',
  'getListing',
  'getListingInventory',
];
const FAULTS = [
  { type: 'commit_then_reset' },
  { type: 'commit_then_status', status: 500 },
  { type: 'reset' },
  { type: 'status', status: 503 },
  { type: 'status', status: 429, headers: { 'retry-after': '1' } },
];

describeLostAnswers(OPERATIONS, sample(FAULTS, 3));
