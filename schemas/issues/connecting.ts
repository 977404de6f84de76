import type { Nothing } from './facts.js';
import type { Answer } from './marketplace.js';

/** Reasons why a shop could not be connected. */
export type ConnectParams = {
  keystring_has_colon: Nothing;
  keystring_wrong: Nothing;
  shared_secret_required: { by: 'webhook_secret' | 'application' };
  shared_secret_wrong: Nothing;
  webhook_secret_wrong: Nothing;
  application_required: Nothing;
  application_gone: Nothing;
  application_refused: { answer: Answer };

  consent_unknown: Nothing;
  consent_expired: { minutes: number };
  /** `shop_name`: of the shop that the consent connected. */
  consent_used: { shop_name?: string };
  consent_declined: Nothing;
  consent_refused: { error: string; description?: string | undefined };
  consent_empty: Nothing;
  consent_code_refused: { answer: Answer };
  consent_without_shop: Nothing;
  consent_of_other_shop: { shop_id: number; wanted: number };
  consent_not_of_owner: { shop_id: number };
  consent_in_other_browser: Nothing;
};
