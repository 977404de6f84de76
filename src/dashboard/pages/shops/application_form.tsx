import type { Refused } from '../../../core/ports/index.js';
import { FieldProblem, markProblem } from '../../components/field_problem.js';
import { ForeignLink } from '../../components/foreign_link.js';
import { FormToken } from '../../components/form_token.js';
import { Refusal } from '../../components/notice.js';
import { Copyable } from '../../../pages/index.js';
import { Dashboard } from '../../layout.js';
import type { Framing } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { PASTE_PATH } from '../../../core/shops/connecting.js';

type Props = {
  visit: Framing;
  /** To be registered with the application, exactly as shown. */
  callback_address: string;
  /** The shop to reconnect; empty for the shop of the application's owner. */
  shop_id: string;
  /** As typed. The secrets are never shown again. */
  keystring: string;
  /** Why the form was refused. */
  refused?: Refused;
};

/** Asks for the application that will act for a shop. */
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
      <p class="note">
        <a href="/docs/sellers#messages-of-etsys-forms-and-pages" target="_blank" rel="noopener">
          What to do if Etsy shows an error
        </a>
      </p>
      {refused && <Refusal error={refused} placed={['keystring', 'shared_secret', 'webhook_secret']} />}
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
            {...markProblem({ name: 'keystring', refused })}
          />
          <FieldProblem name="keystring" refused={refused} />
        </div>
        <Secret name="shared_secret" label="Shared secret" is_required={true} refused={refused} />
        <Secret
          name="webhook_secret"
          label="Webhook secret"
          refused={refused}
          note="Only if the application has a webhook: it starts with whsec_."
        />
        <div>
          <button type="submit">Go on to the marketplace</button>
        </div>
      </form>
      <details>
        <summary>Your browser could not open the page after you agreed?</summary>
        <PasteAddress />
      </details>
    </Dashboard>
  );
}

type SecretProps = {
  name: string;
  label: string;
  note?: string;
  is_required?: boolean;
  refused: Refused | undefined;
};

function Secret({ name, label, note, is_required, refused }: SecretProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="password"
        autocomplete="off"
        required={is_required}
        {...markProblem({ name, refused }, note && `${name}-note`)}
      />
      <FieldProblem name={name} refused={refused} />
      {note && (
        <p class="note" id={`${name}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}

/**
 * For a browser that cannot open the page to which the marketplace sends it, for example on another computer
 * than the service.
 */
export function PasteAddress() {
  return (
    <form method="get" action={PASTE_PATH}>
      <div class="field">
        <label for="address">The address of that page</label>
        <input id="address" name="address" type="url" autocomplete="off" spellcheck={false} required />
        <p class="note">Copy all of the address bar; it has /connect/callback?code= in it.</p>
      </div>
      <div>
        <button type="submit">Finish connecting</button>
      </div>
    </form>
  );
}
