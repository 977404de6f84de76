/** Names of ids, by field and id: `shipping_profile_id 12` to `Small parcel`, `category_attributes 200` to `Primary color`. */
export type IdNames = Readonly<Record<string, string>>;
