/** Numeric owner and group of a file. */
export type Owner = { readonly uid: number; readonly gid: number };

export const ROOT: Owner = { uid: 0, gid: 0 };
