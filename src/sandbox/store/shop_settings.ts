import type { Database } from './database.js';
import { readJson } from './json.js';

export type Section = { shop_section_id: number; shop_id: number; title: string; rank: number };

export type ReadinessState = {
  readiness_state_id: number;
  shop_id: number;
  readiness_state: 'ready_to_ship' | 'made_to_order';
  min_days: number;
  max_days: number;
};

export type ReturnPolicy = {
  return_policy_id: number;
  shop_id: number;
  accepts_returns: boolean;
  accepts_exchanges: boolean;
  return_deadline: number | null;
};

export type ProductionPartner = {
  production_partner_id: number;
  shop_id: number;
  partner_name: string;
  location: string;
};

export type ShippingCost = {
  id: number;
  /** Empty if the destination is a region, or everywhere. */
  country_iso: string;
  region: 'eu' | 'non_eu' | 'none';
  primary_amount: number;
  secondary_amount: number;
  min_delivery_days: number;
  max_delivery_days: number;
};
type ShippingUpgrade = {
  id: number;
  name: string;
  type: 0 | 1;
  amount: number;
  secondary_amount: number;
};

export type ShippingProfile = {
  shipping_profile_id: number;
  shop_id: number;
  data: {
    title: string;
    origin_country_iso: string;
    origin_postal_code: string;
    destinations: ShippingCost[];
    upgrades: ShippingUpgrade[];
  };
};

export function listSections(db: Database, shop_id: number): Section[] {
  return db.list<Section>('SELECT * FROM sections WHERE shop_id = ? ORDER BY rank', shop_id);
}

export function listReadinessStates(db: Database, shop_id: number): ReadinessState[] {
  return db.list<ReadinessState>(
    'SELECT * FROM readiness_states WHERE shop_id = ? ORDER BY readiness_state_id',
    shop_id,
  );
}

export function findReadinessState(
  db: Database,
  shop_id: number,
  readiness_state_id: number,
): ReadinessState | undefined {
  return db.find<ReadinessState>(
    'SELECT * FROM readiness_states WHERE shop_id = ? AND readiness_state_id = ?',
    shop_id,
    readiness_state_id,
  );
}

export function listReturnPolicies(db: Database, shop_id: number): ReturnPolicy[] {
  type Row = Omit<ReturnPolicy, 'accepts_returns' | 'accepts_exchanges'> & {
    accepts_returns: number;
    accepts_exchanges: number;
  };
  return db
    .list<Row>('SELECT * FROM return_policies WHERE shop_id = ? ORDER BY return_policy_id', shop_id)
    .map((row) => ({
      ...row,
      accepts_returns: row.accepts_returns === 1,
      accepts_exchanges: row.accepts_exchanges === 1,
    }));
}

export function listProductionPartners(db: Database, shop_id: number): ProductionPartner[] {
  return db.list<ProductionPartner>(
    'SELECT * FROM production_partners WHERE shop_id = ? ORDER BY production_partner_id',
    shop_id,
  );
}

export function listShippingProfiles(db: Database, shop_id: number): ShippingProfile[] {
  return db
    .list<{ shipping_profile_id: number; shop_id: number; data: string }>(
      'SELECT * FROM shipping_profiles WHERE shop_id = ? ORDER BY shipping_profile_id',
      shop_id,
    )
    .map((row) => ({ ...row, data: readJson<ShippingProfile['data']>(row.data) }));
}

export function findShippingProfile(
  db: Database,
  shop_id: number,
  shipping_profile_id: number,
): ShippingProfile | undefined {
  return listShippingProfiles(db, shop_id).find(
    (profile) => profile.shipping_profile_id === shipping_profile_id,
  );
}
