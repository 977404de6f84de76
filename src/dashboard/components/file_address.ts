import { PREFIX } from '../routes.js';

/** The thumbnail of an upload. */
export function toPreview(url: string): string | undefined {
  const [, upload_id] = /^service-upload:\/\/(\w+)\//.exec(url) ?? [];
  return upload_id === undefined ? undefined : `${PREFIX}/uploads/${upload_id}/preview`;
}

/** The last part of an address, made readable. */
export function toFileName(url: string): string {
  const last = url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
