/** The generated tables. A bundle keeps them beside its own folder, so this file stands one folder deep, as they are. */
export const wireFolder = new URL('../wire/', import.meta.url);
