/** `840 B`, `12 kB`, `3.4 MB`, `10 GB`. */
export function describeSize(size_bytes: number): string {
  if (size_bytes < 1_000) return `${size_bytes} B`;
  if (size_bytes < 1_000_000) return `${Math.round(size_bytes / 1_000)} kB`;
  if (size_bytes < 1_000_000_000) return `${(size_bytes / 1_000_000).toFixed(1)} MB`;
  return `${Number((size_bytes / 1_000_000_000).toFixed(1))} GB`;
}
