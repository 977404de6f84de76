import { register } from 'node:module';

/*
 * For `node --import`: openapi-typescript prints types with the compiler's own interface, which TypeScript 7 has not. It is given
 * the last one that has; a project of a reader's own gets that from npm by itself.
 */
const RESOLVE = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? '@typescript/typescript6' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(RESOLVE)}`);
