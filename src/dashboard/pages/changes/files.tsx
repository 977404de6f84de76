import { Foreign } from '../../../pages/index.js';
import { toFileName, toPreview } from '../../components/file_address.js';

type FileLists = { before: readonly string[]; after: readonly string[] };

/** Photos or other files of a listing by their addresses, before and after. */
export function FileChange({ before, after }: FileLists) {
  const added = after.filter((file) => !before.includes(file));
  const removed = before.filter((file) => !after.includes(file));
  if (added.length + removed.length === 0) return <FileList label="New order" files={after} />;
  return (
    <>
      <FileList label="Added" files={added} />
      <FileList label="Removed" files={removed} />
    </>
  );
}

function FileList({ label, files }: { label: string; files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <div class="stack tight">
      <span>{label}:</span>
      <ul class="files">
        {files.map((file) => {
          const preview = toPreview(file);
          return (
            <li key={file}>
              {preview !== undefined && (
                <img class="photo" src={preview} alt="" width={80} height={80} loading="lazy" />
              )}
              <Foreign text={toFileName(file)} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
