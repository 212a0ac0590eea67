export { COLUMNS, wrap } from "../lib/wrap.ts";
