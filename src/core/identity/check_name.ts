import { buildValidationError } from '../issues/issues.js';
import { replaceInvisible } from '../text/foreign.js';

/** Throws VALIDATION_FAILED unless the name has 1 to `most` characters, all visible, and no space at either end. */
export function checkName(name: string, most: number): void {
  const isClean = name !== '' && name.trim() === name && replaceInvisible(name, '') === name;
  if (isClean && [...name].length <= most) return;
  throw buildValidationError([{ code: 'name_wrong', at: 'name', params: { most } }]);
}
