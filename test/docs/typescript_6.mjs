import { register } from 'node:module';

/*
 * For `node --import`: openapi-typescript prints types with the compiler's own API, which TypeScript 7 lacks.
 * This loads the last version that has it; in a reader's project, npm installs that version automatically.
 */
const RESOLVE = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? '@typescript/typescript6' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(RESOLVE)}`);
