import type { ConnectParams } from '../../../schemas/issues/connecting.js';
import { quoteAnswer, quoteForeign } from '../text/foreign.js';
import { capitalize, type Words } from './words.js';

/** The same sentence for both readers, except for the name of the marketplace. */
function whole<Params>(
  words: (params: Params, marketplace: string) => string,
): Words<{ one: Params }>['one'] {
  return {
    program: (params) => `${capitalize(words(params, 'the marketplace'))}.`,
    seller: (params) => words(params, 'Etsy'),
  };
}

export const CONNECT_WORDS: Words<ConnectParams> = {
  keystring_has_colon: {
    program: () => 'contains a colon; send only the keystring, without the shared secret',
    seller: () => 'The keystring contains a colon. Enter only the keystring, without the shared secret',
  },
  keystring_wrong: {
    program: () => 'must be the letters and digits shown for the application, without spaces',
    seller: () => 'The keystring must be the letters and digits shown for your application, without spaces',
  },
  shared_secret_required: {
    program: ({ by }) =>
      `is required ${by === 'application' ? 'for this application' : 'when a webhook secret is sent'}`,
    seller: ({ by }) =>
      `The shared secret is missing${by === 'application' ? '' : '. It is required if you enter a webhook secret'}`,
  },
  shared_secret_wrong: {
    program: () => 'must be one word, without spaces',
    seller: () => 'The shared secret must be one word, without spaces',
  },
  webhook_secret_wrong: {
    program: () => 'must be whsec_ followed by base64, as shown in the webhook portal',
    seller: () => 'The webhook secret must start with whsec_, as shown in the webhook portal',
  },
  application_required: {
    program: () => "The keystring and shared secret of the shop's application are required.",
    seller: () => 'The keystring and shared secret of the shop’s application are required',
  },
  application_gone: whole(
    () =>
      'This shop’s application was removed when the last shop that used it was disconnected. Enter its keystring and shared secret again',
  ),
  application_refused: whole(
    ({ answer }, marketplace) =>
      `${marketplace} does not accept this keystring with this shared secret. It answered: ${quoteAnswer(answer)}`,
  ),

  consent_unknown: {
    program: () => 'This response from the marketplace does not match any consent requested here.',
    seller: () => 'This response from Etsy does not match any request to connect a shop here',
  },
  consent_expired: {
    program: ({ minutes }) => `The consent was not completed within ${minutes} minutes.`,
    seller: ({ minutes }) => `Connecting the shop took longer than ${minutes} minutes`,
  },
  consent_used: whole(({ shop_name }, marketplace) =>
    shop_name === undefined
      ? `This response from ${marketplace} was already used`
      : `This response from ${marketplace} was already used: the shop ${quoteForeign(shop_name)} is connected`,
  ),
  consent_declined: {
    program: () => 'The seller did not grant access, so no shop was connected.',
    seller: () => 'Access was not granted on Etsy, so no shop was connected',
  },
  consent_refused: {
    program: (refusal) => `The marketplace refused the consent request: ${quoteRefusal(refusal)}.`,
    seller: (refusal) => `Etsy refused the request to connect the shop: ${quoteRefusal(refusal)}`,
  },
  consent_empty: {
    program: () => 'The marketplace returned neither a code nor an error.',
    seller: () => 'Etsy sent an incomplete response',
  },
  consent_code_refused: whole(
    ({ answer }, marketplace) =>
      `${marketplace} rejected the authorization code that it issued: ${quoteAnswer(answer)}`,
  ),
  consent_without_shop: {
    program: () => 'The account that granted access has no shop on the marketplace.',
    seller: () => 'The Etsy account that granted access has no shop',
  },
  consent_of_other_shop: {
    program: ({ shop_id, wanted }) => `The consent is for shop ${shop_id}, not for shop ${wanted}.`,
    seller: () => 'Access was granted to a different shop',
  },
  consent_not_of_owner: {
    program: ({ shop_id }) => `Shop ${shop_id} does not belong to the account that granted access.`,
    seller: () => 'The shop does not belong to the Etsy account that granted access',
  },
  consent_in_other_browser: {
    program: () => 'This consent was started in another browser, or at another address of this service.',
    seller: () => 'The connection was started in another browser, or at another address of this service',
  },
};

function quoteRefusal({ error, description }: ConnectParams['consent_refused']): string {
  return quoteForeign(description === undefined ? error : `${error}: ${description}`);
}
