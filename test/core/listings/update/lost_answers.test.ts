import { describeLostAnswers } from './lost_answers.js';

/* All operations and faults: lost_answers.long.test.ts. */
describeLostAnswers(
  ['uploadListingImage', 'updateListing', 'updateListingInventory'],
  [{ type: 'commit_then_reset' }],
);
