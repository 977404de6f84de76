type ScaleSeed = { scale_id: number; display_name: string; description: string };
type ValueSeed = { value_id: number; name: string; scale_id: number | null };

export type PropertySeed = {
  property_id: number;
  name: string;
  display_name: string;
  is_required: boolean;
  supports_attributes: boolean;
  supports_variations: boolean;
  /** How many values a listing may choose; null: one. */
  max_values_allowed: number | null;
  scales: readonly ScaleSeed[];
  values: readonly ValueSeed[];
};

const COLORS =
  'Beige Black Blue Bronze Brown Clear Copper Gold Gray Green Orange Pink Purple Rainbow Red Rose_gold Silver White Yellow'
    .split(' ')
    .map((name) => name.replace('_', ' '));

/** Sets of properties by name; a category has the set `everywhere` and sets of its own. */
export const PROPERTY_SETS = {
  everywhere: [
    property(200, 'Primary color', { values: numbered(1, COLORS), attribute: true }),
    property(52047899002, 'Secondary color', { values: numbered(101, COLORS), attribute: true }),
    property(504, 'Diameter', { scales: lengthScales() }),
    property(501, 'Dimensions', {}),
    property(502, 'Fabric', {}),
    property(500, 'Finish', {}),
    property(503, 'Flavor', {}),
    property(505, 'Height', { scales: lengthScales() }),
    property(506, 'Length', { scales: lengthScales() }),
    property(507, 'Material', {}),
    property(508, 'Pattern', {}),
    property(509, 'Scent', {}),
    property(510, 'Style', {}),
    property(511, 'Weight', { scales: weightScales() }),
    property(512, 'Width', { scales: lengthScales() }),
    property(513, 'Custom1', { label: 'Custom Property' }),
    property(514, 'Custom2', { label: 'Custom Property' }),
    property(46803063659, 'Holiday', {
      values: numbered(35, ['Christmas', 'Easter', 'Halloween', 'Mother’s Day', 'Thanksgiving']),
      attribute: true,
      variation: false,
    }),
    property(46803063641, 'Occasion', {
      values: numbered(12, ['Anniversary', 'Birthday', 'Graduation', 'Housewarming', 'Wedding']),
      attribute: true,
      variation: false,
    }),
  ],
  drinkware: [
    property(185, 'Capacity', {
      attribute: true,
      scales: [
        { scale_id: 331, display_name: 'Fluid ounces', description: 'Volume in US fluid ounces' },
        { scale_id: 332, display_name: 'Milliliters', description: 'Volume in milliliters' },
      ],
      values: [
        ...numbered(5201, ['8', '10', '12', '14', '16'], 331),
        ...numbered(5211, ['240', '300', '350', '400', '475'], 332),
      ],
    }),
    property(357, 'Drinkware material', {
      attribute: true,
      variation: false,
      most: 5,
      values: numbered(2100, ['Ceramic', 'Enamel', 'Glass', 'Porcelain', 'Stoneware', 'Wood']),
    }),
    property(358, 'Dishwasher safe', {
      attribute: true,
      variation: false,
      values: numbered(2140, ['Yes', 'No']),
    }),
  ],
  decor: [
    property(145, 'Room', {
      attribute: true,
      variation: false,
      most: 5,
      values: numbered(900, ['Bathroom', 'Bedroom', 'Dining room', 'Kitchen', 'Living room', 'Nursery']),
    }),
  ],
  textile: [
    property(359, 'Fabric type', {
      attribute: true,
      variation: false,
      most: 3,
      values: numbered(2200, ['Cotton', 'Hemp', 'Linen', 'Silk', 'Wool']),
    }),
  ],
  textile_size: [
    property(360, 'Textile size', {
      attribute: true,
      scales: lengthScales(),
      values: [
        ...numbered(2301, ['12 x 20', '18 x 18', '20 x 20', '50 x 60'], 5),
        ...numbered(2321, ['30 x 50', '45 x 45', '50 x 50', '130 x 170'], 6),
      ],
    }),
  ],
  shirt_size: [
    property(100, 'Size', {
      scales: [
        { scale_id: 25, display_name: 'US letter size', description: 'Letter sizes of the United States' },
        { scale_id: 26, display_name: 'EU number size', description: 'Number sizes of Europe' },
      ],
      values: [
        ...numbered(1101, ['XS', 'S', 'M', 'L', 'XL', '2XL'], 25),
        ...numbered(1121, ['34', '36', '38', '40', '42', '44'], 26),
      ],
    }),
    property(361, 'Sleeve length', {
      attribute: true,
      variation: false,
      values: numbered(2400, ['Sleeveless', 'Short sleeve', 'Long sleeve']),
    }),
  ],
  scented: [
    property(362, 'Wax or base', {
      attribute: true,
      variation: false,
      values: numbered(2500, ['Beeswax', 'Coconut', 'Olive oil', 'Soy']),
    }),
  ],
  wood: [
    property(363, 'Wood type', {
      attribute: true,
      variation: false,
      most: 2,
      values: numbered(2600, ['Ash', 'Beech', 'Birch', 'Maple', 'Oak', 'Walnut']),
    }),
  ],
  size_in_inches: [
    property(364, 'Frame size', {
      scales: lengthScales(),
      values: numbered(2701, ['8 x 10', '11 x 14', '16 x 20'], 5),
    }),
  ],
  rug_shape: [
    property(365, 'Rug shape', {
      attribute: true,
      variation: false,
      required: true,
      values: numbered(2800, ['Oval', 'Rectangle', 'Round', 'Runner']),
    }),
  ],
  ring: [
    property(366, 'Ring material', {
      attribute: true,
      variation: false,
      required: true,
      most: 3,
      values: numbered(2900, ['Brass', 'Gold', 'Silver', 'Stainless steel']),
    }),
    property(101, 'Ring size', {
      scales: [{ scale_id: 45, display_name: 'US', description: 'Ring sizes of the United States' }],
      values: numbered(1201, ['5', '6', '7', '8', '9'], 45),
    }),
  ],
  // The published document names these three scales, and 19 as the id of the second.
  shoe_size: [
    property(368, 'Shoe size', {
      attribute: true,
      scales: [
        { scale_id: 18, display_name: 'UK', description: 'Shoe sizes of the United Kingdom' },
        {
          scale_id: 19,
          display_name: 'US/Canada',
          description: 'Shoe sizes of the United States and Canada',
        },
        { scale_id: 20, display_name: 'EU', description: 'Shoe sizes of Europe' },
      ],
      values: [
        ...numbered(3201, ['5', '6', '7', '8'], 18),
        ...numbered(3221, ['6', '7', '8', '9'], 19),
        ...numbered(3241, ['38', '39', '40', '41'], 20),
      ],
    }),
  ],
  device: [
    property(515, 'Device', { values: numbered(3001, ['iPhone 16', 'iPhone 17', 'Pixel 10', 'Galaxy S26']) }),
  ],
  digital_art: [
    property(367, 'Orientation', {
      attribute: true,
      variation: false,
      values: numbered(3100, ['Horizontal', 'Square', 'Vertical']),
    }),
  ],
} as const satisfies Record<string, readonly PropertySeed[]>;

export type PropertySetName = keyof typeof PROPERTY_SETS;

type PropertyTraits = {
  label?: string;
  values?: readonly ValueSeed[];
  scales?: readonly ScaleSeed[];
  attribute?: boolean;
  variation?: boolean;
  required?: boolean;
  most?: number;
};

function property(property_id: number, name: string, traits: PropertyTraits): PropertySeed {
  return {
    property_id,
    name,
    display_name: traits.label ?? name,
    is_required: traits.required ?? false,
    supports_attributes: traits.attribute ?? false,
    supports_variations: traits.variation ?? true,
    max_values_allowed: traits.most ?? null,
    scales: traits.scales ?? [],
    values: traits.values ?? [],
  };
}

function numbered(first_id: number, names: readonly string[], scale_id: number | null = null): ValueSeed[] {
  return names.map((name, index) => ({ value_id: first_id + index, name, scale_id }));
}

function lengthScales(): ScaleSeed[] {
  return [
    { scale_id: 5, display_name: 'Inches', description: 'Length in inches' },
    { scale_id: 6, display_name: 'Centimeters', description: 'Length in centimeters' },
  ];
}

function weightScales(): ScaleSeed[] {
  return [
    { scale_id: 9, display_name: 'Ounces', description: 'Weight in ounces' },
    { scale_id: 10, display_name: 'Grams', description: 'Weight in grams' },
  ];
}
