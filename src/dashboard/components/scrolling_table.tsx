import type { ComponentChildren } from 'preact';

/** A table that may be wider than the screen; with a keyboard it is scrolled by the arrow keys. */
export function ScrollingTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="table-wrap" role="region" aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
