export const REPOSITORY: string;
export function fillReadme(text: string, url: string): string;
export function restoreReadme(text: string, url: string): string;
