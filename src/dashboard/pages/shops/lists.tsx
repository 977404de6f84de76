import type { ComponentChildren } from 'preact';
import type { ShopLists } from '../../../../schemas/shop.js';
import { Foreign } from '../../../pages/index.js';
import { Table } from '../../components/table.js';
import { describeCost, describeDays, describePolicy } from './words.js';

/** The shop's profiles, policies and sections by name. Assistants and programs read their ids with store_sync. */
export function KeptLists({ lists }: { lists: ShopLists }) {
  return (
    <>
      <List
        title="Shipping profiles"
        none="Physical listings need one; it is made on the marketplace."
        columns={['Profile', 'First destination']}
        rows={lists.shipping_profiles.map((profile) => [
          <Foreign text={profile.title} />,
          describeCost(profile),
        ])}
      />
      <List
        title="Processing profiles"
        none="Physical listings need one; it is made on the marketplace."
        columns={['Profile', 'Days']}
        rows={lists.processing_profiles.map((profile) => [
          <Foreign text={profile.processing_days_display_label} />,
          describeDays(profile.min_processing_days, profile.max_processing_days),
        ])}
      />
      <List
        title="Return policies"
        none="Physical listings need one before they are published. Create it on Etsy."
        columns={['Policy']}
        rows={lists.return_policies.map((policy) => [describePolicy(policy)])}
      />
      <List
        title="Sections"
        none="The shop is not divided into sections."
        columns={['Section']}
        rows={lists.shop_sections.map((section) => [<Foreign text={section.title} />])}
      />
      {lists.production_partners.length > 0 && (
        <List
          title="Production partners"
          none=""
          columns={['Partner', 'Where']}
          rows={lists.production_partners.map((partner) => [
            <Foreign text={partner.partner_name} />,
            <Foreign text={partner.location} />,
          ])}
        />
      )}
    </>
  );
}

type ListProps = {
  title: string;
  /** Text for an empty list. */
  none: string;
  columns: readonly string[];
  /** A cell for each column. */
  rows: readonly (readonly ComponentChildren[])[];
};

function List({ title, none, columns, rows }: ListProps) {
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="note">None. {none}</p>
      ) : (
        <Table
          label={title}
          columns={columns.map((name) => ({ name }))}
          rows={rows.map((cells, place) => ({ key: place, cells }))}
        />
      )}
    </section>
  );
}
