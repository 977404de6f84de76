import type { Refused } from '../../../core/errors.js';
import { ForeignLink } from '../../components/foreign_link.js';
import { FormToken } from '../../components/form_token.js';
import { Refusal } from '../../components/notice.js';
import { Copyable } from '../../../pages/index.js';
import { Dashboard } from '../../layout.js';
import type { Framing } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { PasteAddress } from './paste_address.js';

type Props = {
  visit: Framing;
  /** To be registered with the application, to the letter. */
  callback_address: string;
  /** The shop that is to be connected again; empty for the shop that the application's owner has. */
  shop_id: string;
  /** As it was typed. The secrets are never shown again. */
  keystring: string;
  /** Why the form was refused. */
  refused?: Refused;
};

/** Asks for the application that is to act for a shop. */
export function ApplicationForm({ visit, callback_address, shop_id, keystring, refused }: Props) {
  return (
    <Dashboard visit={visit} title="The shop’s application" section="Shops" width="narrow" scripts={['copy']}>
      <h1>The shop’s application</h1>
      <p>
        The marketplace knows this service by an application of the shop. It is yours, made in a few minutes
        under <ForeignLink href="https://www.etsy.com/developers/your-apps">Your apps</ForeignLink> as Seller
        API Access. Copy its two texts from there; they are kept encrypted, and used for this shop alone.
      </p>
      <p>
        There, under Edit callback URLs, enter this address exactly as it is here. Otherwise the marketplace
        does not send you back.
      </p>
      <Copyable text={callback_address} label="Copy" about="the callback address" />
      {refused && <Refusal error={refused} />}
      <form method="post" action={`${PREFIX}/shops/connect`}>
        <FormToken visit={visit} />
        {shop_id !== '' && <input type="hidden" name="shop_id" value={shop_id} />}
        <div class="field">
          <label for="keystring">Keystring</label>
          <input
            id="keystring"
            name="keystring"
            type="text"
            autocomplete="off"
            spellcheck={false}
            value={keystring}
            required
          />
        </div>
        <Secret name="shared_secret" label="Shared secret" is_required={true} />
        <Secret
          name="webhook_secret"
          label="Webhook secret"
          note="Only where the application has a webhook: it begins with whsec_."
        />
        <div>
          <button type="submit">Go on to the marketplace</button>
        </div>
      </form>
      <PasteAddress />
    </Dashboard>
  );
}

type SecretProps = { name: string; label: string; note?: string; is_required?: boolean };

function Secret({ name, label, note, is_required }: SecretProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="password"
        autocomplete="off"
        required={is_required}
        aria-describedby={note && `${name}-note`}
      />
      {note && (
        <p class="note" id={`${name}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}
