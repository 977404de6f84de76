import { oncePerConstant } from '../core/constant.js';

/** JSON; of a constant value, made once. */
export const toText = oncePerConstant((value: unknown): string => JSON.stringify(value));
