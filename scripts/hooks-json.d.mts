/** The text of hooks.json. */
export function hooksJson(): string;
