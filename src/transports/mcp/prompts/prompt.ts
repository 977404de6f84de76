import { LISTING_FEE } from '../../../../schemas/marketplace_facts.js';

/** A job that a seller has, in the words to give to an assistant. */
export type Prompt = {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** Ids of the operations it speaks of: without one of them it is not offered. */
  needs: readonly string[];
  /** @param given the arguments that came; required ones are there */
  build(given: Readonly<Record<string, string>>): string;
};

export type PromptArgument = {
  name: string;
  description: string;
  required: boolean;
  /** The kind of thing that its value names, for completion. `shops`: several, with commas between them. */
  completes?: 'shops' | 'category';
};

/** Stands in every prompt that may lead to it. */
export const MONEY = `State active costs ${LISTING_FEE} for each shop that is not live yet, so use it only after I have said yes. If the answer is confirmation_required, show me its sum and its shops, and repeat the call with confirm set to its confirm_token when I agree.`;
