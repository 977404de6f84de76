/*
 * Requests made to cost as much as possible for their size. Each is built for a number of bytes, so its work
 * can be compared with it; a real caller would send none of them.
 */

export type WorstCase = {
  name: string;
  /**
   * `rest`: the body of listing_create. `mcp`: a message of 2026-07-28. `mcp_2025`: one of the older
   * revisions.
   */
  face: 'rest' | 'mcp' | 'mcp_2025';
  /** About this many bytes. */
  build(size_bytes: number): string;
};

const repeat = (piece: (index: number) => string, size_bytes: number, piece_bytes: number) =>
  Array.from({ length: Math.max(1, Math.floor(size_bytes / piece_bytes)) }, (_, index) => piece(index)).join(
    ',',
  );

const keys = (size_bytes: number, name = 'k') =>
  `{${repeat((index) => `"${name}${index}":1`, size_bytes, 10)}}`;

/** Objects with the maximum number of keys each. */
const manyObjects = (size_bytes: number, name: string) =>
  `[${repeat(() => keys(9_000, name), size_bytes, 10_000)}]`;

const LISTING =
  '"title":"Mug","description":"A mug.","listing_type":"physical","taxonomy_id":1062,"price":1,"quantity":1';
const body = (rest: string, listing = '') =>
  `{"shops":[{"shop_id":1}],"listing":{${LISTING}${listing}},${rest}}`;

const variations = (size_bytes: number) => {
  const count = Math.max(1, Math.min(70, Math.floor(Math.sqrt(size_bytes / 60))));
  const values = Array.from({ length: count }, (_, index) => index);
  const properties = ['Size', 'Color'].map(
    (name, index) =>
      `{"property_id":${513 + index},"name":"${name}","values":[${values.map((value) => `"${value}"`).join(',')}]}`,
  );
  const offerings = values.flatMap((size) =>
    values.map((color) => `{"size":"${size}","color":"${color}","price":1.5,"quantity":1,"sku":"a"}`),
  );
  return `"variations":{"properties":[${properties.join(',')}],"offerings":[${offerings.join(',')}]}`;
};

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
const message = (method: string, params: string, meta = META) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${meta}${params}}}`;
const call = (name: string, input: string) => message('tools/call', `,"name":"${name}","arguments":${input}`);
const complete = (value: string, name = 'shops') =>
  message(
    'completion/complete',
    `,"ref":{"type":"ref/prompt","name":"list_from_photos"},"argument":{"name":"${name}","value":"${value}"}`,
  );

export const WORST_CASES: readonly WorstCase[] = [
  { name: 'unknown keys', face: 'rest', build: (size) => body(keys(size).slice(1, -1)) },
  {
    name: 'unknown keys in the listing',
    face: 'rest',
    build: (size) => body('"state":"draft"', `,${keys(size).slice(1, -1)}`),
  },
  {
    name: 'keys that are nearly known',
    face: 'rest',
    build: (size) => body('"state":"draft"', `,${keys(size, 'tilte').slice(1, -1)}`),
  },
  {
    name: 'many objects of unknown keys',
    face: 'rest',
    build: (size) => body(`"images":${manyObjects(size, 'image_url')}`),
  },
  {
    name: 'one key over and over',
    face: 'rest',
    build: (size) => `{${repeat(() => '"shops":1', size, 10)}}`,
  },
  { name: 'empty objects', face: 'rest', build: (size) => body(`"images":[${repeat(() => '{}', size, 3)}]`) },
  {
    name: 'empty shops',
    face: 'rest',
    build: (size) => `{"shops":[${repeat(() => '{}', size, 3)}],"listing":{${LISTING}}}`,
  },
  {
    name: 'levels',
    face: 'rest',
    build: (size) => `{"shops":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
  },
  { name: 'levels that never end', face: 'rest', build: (size) => '{"a":'.repeat(size / 5) },
  {
    name: 'escaped quotation marks',
    face: 'rest',
    build: (size) => body(`"x":"${String.raw`\"`.repeat(size / 2)}"`),
  },
  { name: 'a string that never ends', face: 'rest', build: (size) => `{"a":"${'\\\\'.repeat(size / 2)}` },
  {
    name: 'JSON in a string',
    face: 'rest',
    build: (size) => body(`"images":${JSON.stringify(manyObjects(size, 'k'))}`),
  },
  {
    name: 'a description of tags',
    face: 'rest',
    build: (size) => body('"state":"draft"').replace('A mug.', '<b>&lt;'.repeat(size / 7)),
  },
  {
    name: 'a description of what opens a tag',
    face: 'rest',
    build: (size) => body('"state":"draft"').replace('A mug.', '<'.repeat(size)),
  },
  {
    name: 'a description of openings behind nested tags',
    face: 'rest',
    build: (size) =>
      body('"state":"draft"').replace('A mug.', `${'<'.repeat(12)}${'b>'.repeat(12)} ${'<'.repeat(size)} `),
  },
  {
    name: 'attributes',
    face: 'rest',
    build: (size) =>
      body(
        `"category_attributes":{${repeat((index) => `"${index + 1}":{"value_ids":[1,2],"values":["a","b"]}`, size, 45)}}`,
      ),
  },
  {
    name: 'tags that repeat',
    face: 'rest',
    build: (size) => body('"state":"draft"', `,"tags":[${repeat(() => '"mug"', size, 6)}]`),
  },
  { name: 'every combination of variations', face: 'rest', build: (size) => body(variations(size)) },
  {
    name: 'one combination over and over',
    face: 'rest',
    build: (size) =>
      body(
        `"variations":{"properties":[{"property_id":513,"name":"Size","values":["1"]}],"offerings":[${repeat(() => '{"size":"1","price":1}', size, 23)}]}`,
      ),
  },
  { name: 'commas to complete', face: 'mcp', build: (size) => complete(','.repeat(size)) },
  { name: 'letters to complete', face: 'mcp', build: (size) => complete('mug'.repeat(size / 3), 'category') },
  { name: 'keys of a call', face: 'mcp', build: (size) => call('stores_list', keys(size)) },
  {
    name: 'empty objects of a call',
    face: 'mcp',
    build: (size) => call('listing_create', `{"shops":[${repeat(() => '{}', size, 3)}]}`),
  },
  {
    name: 'an address to read',
    face: 'mcp_2025',
    build: (size) =>
      message('resources/read', `,"uri":"listing-service://jobs/${'%2e'.repeat(size / 3)}"`, '"_meta":{}'),
  },
  {
    name: 'an argument of a prompt',
    face: 'mcp',
    build: (size) =>
      message('prompts/get', `,"name":"list_from_photos","arguments":{"folder":"${'x '.repeat(size / 2)}"}`),
  },
  {
    name: 'who the client is',
    face: 'mcp_2025',
    build: (size) =>
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${keys(size)},"clientInfo":{"name":"a","version":"1"}}}`,
  },
  {
    name: 'a batch',
    face: 'mcp_2025',
    build: (size) => `[${repeat(() => '{"jsonrpc":"2.0","id":1,"method":"ping"}', size, 41)}]`,
  },
  {
    name: 'an id',
    face: 'mcp_2025',
    build: (size) => `{"jsonrpc":"2.0","id":"${'1'.repeat(size)}","method":"ping"}`,
  },
  {
    name: 'a token of progress',
    face: 'mcp',
    build: (size) =>
      call('stores_list', '{}').replace('"_meta":{', `"_meta":{"progressToken":"${'1'.repeat(size)}",`),
  },
];
