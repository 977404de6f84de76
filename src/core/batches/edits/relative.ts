import type { BatchEdit } from '../../../../schemas/batch.js';

/** Whether making the edit twice changes the value twice: +10 % becomes +21 %. */
export function isRelative({ field, op, find = '', with: by = '' }: BatchEdit): boolean {
  if (op === 'replace') return by.includes(find);
  if (op === 'add') return field === 'quantity';
  // Photos are removed by their ranks.
  if (op === 'remove') return field === 'images';
  return ['increase_by', 'increase_percent', 'prepend', 'append'].includes(op);
}
