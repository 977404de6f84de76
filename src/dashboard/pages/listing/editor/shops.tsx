import type { ConnectedShop } from '../../../../core/ports/index.js';
import { capitalize } from '../../../../core/issues/words.js';
import { joinWords } from '../../../../core/text/choices.js';
import { cleanForeign } from '../../../../core/text/foreign.js';
import { Foreign } from '../../../../pages/index.js';
import { PREFIX } from '../../../routes.js';
import { describeCost, describeDays, describePolicy } from '../../shops/words.js';
import { isUsed, Part, Problem, SelectField, TextField, type Filled } from './inputs.js';
import { listCurrencies, shopField, type Scope } from './values.js';

type Props = { form: Filled; scope: Scope };
/** `fixed`: the listing stays in these shops. */
type ShopsProps = Props & { fixed: readonly number[] };

/** The shops by name, each with its profiles by name. */
export function Shops({ form, scope, fixed }: ShopsProps) {
  const isDigital = form.values.get('listing_type') === 'digital';
  return (
    <Part id="shops-part" title="Shops">
      <Problem id="shops-part" problems={form.problems} />
      {scope.shops.length === 0 && (
        <p>
          No shop is connected. <a href={`${PREFIX}/shops`}>Connect a shop</a> first.
        </p>
      )}
      {scope.shops.map((shop) => (
        <Shop
          form={form}
          shop={shop}
          isDigital={isDigital}
          isFixed={fixed.includes(shop.shop_id)}
          key={shop.shop_id}
        />
      ))}
    </Part>
  );
}

type ShopProps = { form: Filled; shop: ConnectedShop; isDigital: boolean; isFixed: boolean };

function Shop({ form, shop, isDigital, isFixed }: ShopProps) {
  const { shop_id, details, lists } = shop;
  const isTicked = form.values.getAll('shop').includes(String(shop_id));
  const fields = (
    <div class="grid">
      {!isDigital && (
        <>
          <SelectField
            form={form}
            name={shopField.shipping(shop_id)}
            label="Shipping profile"
            none="Choose…"
            choices={lists.shipping_profiles.map((profile) => [
              String(profile.shipping_profile_id),
              `${profile.title} (${describeCost(profile)})`,
            ])}
          />
          <SelectField
            form={form}
            name={shopField.returns(shop_id)}
            label="Return policy"
            none="Choose…"
            choices={lists.return_policies.map((policy) => [
              String(policy.return_policy_id),
              describePolicy(policy),
            ])}
          />
          <SelectField
            form={form}
            name={shopField.processing(shop_id)}
            label="Processing profile"
            none={isFixed ? 'The one that fits best' : 'The shop’s first profile'}
            note={describeDefault(lists.processing_profiles, isFixed)}
            choices={lists.processing_profiles.map((profile) => [
              String(profile.readiness_state_id),
              describeProcessing(profile),
            ])}
          />
        </>
      )}
    </div>
  );
  const { shop_sections, production_partners } = lists;
  const optional = [
    ...(shop_sections.length > 0 ? [{ name: shopField.section(shop_id), noun: 'Shop section' }] : []),
    ...(production_partners.length > 0
      ? [{ name: shopField.partners(shop_id), noun: 'production partners' }]
      : []),
  ];
  return (
    <fieldset class="option" data-shop>
      <legend class="visually-hidden">{cleanForeign(details.shop_name)}</legend>
      <label class="choice">
        {isFixed ? (
          <input type="hidden" name="shop" value={shop_id} />
        ) : (
          <input type="checkbox" id={`shop_${shop_id}`} name="shop" value={shop_id} checked={isTicked} />
        )}
        <span>
          <strong>
            <Foreign text={details.shop_name} />
          </strong>{' '}
          ({details.currency_code})
        </span>
      </label>
      <Problem id={`shop_${shop_id}`} problems={form.problems} />
      {fields}
      {optional.length > 0 && (
        <details id={`more-shop-${shop_id}`} open={optional.some(({ name }) => isUsed(form, name))}>
          <summary>{capitalize(joinWords(optional.map(({ noun }) => noun)))}</summary>
          <div class="grid">
            {shop_sections.length > 0 && (
              <SelectField
                form={form}
                name={shopField.section(shop_id)}
                label="Shop section"
                none="No section"
                choices={shop_sections.map((section) => [String(section.shop_section_id), section.title])}
              />
            )}
            <Partners form={form} shop={shop} />
          </div>
        </details>
      )}
    </fieldset>
  );
}

type Profile = ConnectedShop['lists']['processing_profiles'][number];

export function describeProcessing(profile: Profile): string {
  const { readiness_state, min_processing_days, max_processing_days } = profile;
  const kind = readiness_state === 'made_to_order' ? 'Made to order' : 'Ready to ship';
  return `${kind}, ${describeDays(min_processing_days, max_processing_days)}`;
}

/** The profile that is used if none is chosen. A saved listing may have processing days of its own. */
function describeDefault([first]: readonly Profile[], isFixed: boolean): string | undefined {
  return isFixed || !first ? undefined : `${describeProcessing(first)}, unless you choose another one.`;
}

function Partners({ form, shop: { shop_id, lists } }: { form: Filled; shop: ConnectedShop }) {
  if (lists.production_partners.length === 0) return null;
  const name = shopField.partners(shop_id);
  const chosen = new Set(form.values.getAll(name));
  return (
    <fieldset id={name} tabIndex={-1}>
      <legend>Production partners</legend>
      {lists.production_partners.map(({ production_partner_id, partner_name }) => (
        <label class="choice" key={production_partner_id}>
          <input
            type="checkbox"
            name={name}
            value={production_partner_id}
            checked={chosen.has(String(production_partner_id))}
          />
          <Foreign text={partner_name} />
        </label>
      ))}
      <Problem id={name} problems={form.problems} />
    </fieldset>
  );
}

/** Prices, one per currency, and the quantity. */
export function Offer({ form, scope, canVary }: Props & { canVary: boolean }) {
  const hasOptions = form.values.has('option_name');
  const isDigital = form.values.get('listing_type') === 'digital';
  return (
    <Part id="offer-part" title="Price and stock">
      {canVary && !hasOptions && !isDigital && (
        <p class="note">
          If sizes or colors have different prices or stock, add them below, under “Variations”.
        </p>
      )}
      <div class="grid">
        {listCurrencies(form.values, scope).map((code) => (
          <TextField
            form={form}
            name={`price_${code}`}
            label={`Price, ${code}`}
            note={<ShopsOf code={code} scope={scope} hasOptions={hasOptions} />}
            type="number"
            key={code}
          />
        ))}
        <TextField form={form} name="quantity" label="Stock" type="whole" note="In each shop." />
        <TextField form={form} name="sku" label="SKU" note="Optional." />
      </div>
      <OwnPrices form={form} scope={scope} />
    </Part>
  );
}

function ShopsOf({ code, scope, hasOptions }: { code: string; scope: Scope; hasOptions: boolean }) {
  const names = scope.shops.filter(({ details }) => details.currency_code === code);
  return (
    <>
      In {names.map(({ details }) => cleanForeign(details.shop_name)).join(', ')}.
      {hasOptions && ' For variations without a price of their own.'}
    </>
  );
}

/** Prices of single shops, which most listings do not need. */
function OwnPrices({ form, scope: { shops } }: Props) {
  const names = shops.map(({ shop_id }) => shopField.price(shop_id));
  const isOpen = names.some((name) => isUsed(form, name));
  if (shops.length < 2 && !isOpen) return null;
  return (
    <details id="own-prices" open={isOpen}>
      <summary>A different price in one shop</summary>
      <div class="grid">
        {shops.map(({ shop_id, details }) => (
          <TextField
            form={form}
            name={shopField.price(shop_id)}
            label={
              <>
                Price in <Foreign text={details.shop_name} />, {details.currency_code}
              </>
            }
            note="Only if it differs."
            type="number"
            key={shop_id}
          />
        ))}
      </div>
    </details>
  );
}
