import { parseDocument } from 'htmlparser2';

/** An object in a listing; `key` is its full name. */
export type ListedObject = { key: string; size_bytes: number; modified_at: Date };

/** `next`: the token to request the following page with; undefined on the last one. */
export type ListingPage = { objects: ListedObject[]; next: string | undefined };

type Element = { name: string; children: Element[]; text: string };

/** Undefined if it is not an answer to ListObjectsV2. */
export function parseListing(xml: string): ListingPage | undefined {
  const root = parseXml(xml).find(({ name }) => name === 'ListBucketResult');
  if (!root) return undefined;
  const objects = root.children.filter(({ name }) => name === 'Contents').map(toObject);
  if (objects.includes(undefined)) return undefined;
  const next = getText(root, 'IsTruncated') === 'true' ? getText(root, 'NextContinuationToken') : '';
  return { objects: objects.filter((object) => object !== undefined), next: next || undefined };
}

/** S3's error code, such as NoSuchBucket; undefined if it returned none. */
export function parseErrorCode(xml: string): string | undefined {
  const root = parseXml(xml).find(({ name }) => name === 'Error');
  const code = root && getText(root, 'Code');
  return code !== undefined && /^\w{1,64}$/.test(code) ? code : undefined;
}

function toObject(element: Element): ListedObject | undefined {
  const key = getText(element, 'Key');
  const size_bytes = Number(getText(element, 'Size'));
  const modified_at = new Date(getText(element, 'LastModified'));
  const isWhole = key !== '' && Number.isSafeInteger(size_bytes) && !Number.isNaN(modified_at.getTime());
  return isWhole ? { key, size_bytes, modified_at } : undefined;
}

function getText({ children }: Element, wanted: string): string {
  return children.find(({ name }) => name === wanted)?.text.trim() ?? '';
}

function parseXml(xml: string): Element[] {
  return toElements(parseDocument(xml, { xmlMode: true }).children);
}

type Node = ReturnType<typeof parseDocument>['children'][number];

function toElements(nodes: readonly Node[]): Element[] {
  return nodes.flatMap((node) =>
    'name' in node && 'children' in node
      ? [{ name: node.name, children: toElements(node.children), text: toText(node.children) }]
      : [],
  );
}

function toText(nodes: readonly Node[]): string {
  return nodes.map((node) => ('data' in node ? node.data : '')).join('');
}
