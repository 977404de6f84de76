import type { ComponentChildren } from 'preact';

type Props = {
  /** A description of the accepted files. */
  children: ComponentChildren;
  /** For the browser's file picker. */
  accept?: string | undefined;
  /** Maximum number of files at once; by default one. */
  max_files?: number;
};

/**
 * The content of a form with a file. The field is as large as a drop zone, which browsers support natively,
 * and the script `upload` fills the progress bar in a form that states its limit in `data-upload`.
 */
export function UploadFields({ children, accept, max_files = 1 }: Props) {
  return (
    <>
      <div class="field">
        <label for="file">{max_files === 1 ? 'File' : 'Files'}</label>
        <input
          type="file"
          id="file"
          name="file"
          class="drop"
          accept={accept}
          multiple={max_files > 1}
          data-max-files={max_files}
          required
          aria-describedby="file-note"
        />
        <p class="note" id="file-note">
          {children}
        </p>
      </div>
      <ul class="upload-progress" data-upload-files hidden />
      <progress data-upload-bar aria-label="Sent" max={1} value={0} hidden />
      <p class="note" role="status" data-upload-status />
      <div>
        <button type="submit">Upload</button>
      </div>
    </>
  );
}
