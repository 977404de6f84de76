import { scriptPath } from '../scripts.js';

/** A file of client/, without its extension. */
export type ScriptName = 'copy' | 'editor' | 'live' | 'selection' | 'times' | 'upload';

/** Script elements for the head, for scripts that improve a page which works without them. */
export function Scripts({ names }: { names: readonly ScriptName[] }) {
  return (
    <>
      {names.map((name) => {
        const path = scriptPath(name);
        return path === undefined ? null : <script type="module" src={path} key={name} />;
      })}
    </>
  );
}
