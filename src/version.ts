declare const __VERSION__: string | undefined;

/** The version in package.json, put in place by the build; a run from the sources has none. */
export const VERSION: string = typeof __VERSION__ === "undefined" ? "0.0.0-dev" : __VERSION__;
