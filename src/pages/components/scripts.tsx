import { scriptPath } from '../scripts.js';

/** A file of client/, without its ending. */
export type ScriptName = 'copy' | 'live' | 'times' | 'upload';

/** For the head: what makes a page better that works without. */
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
