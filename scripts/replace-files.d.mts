export function replaceFile(path: string, text: string): void;
export function replaceFiles(folder: string, files: readonly { path: string; text: string }[]): void;
