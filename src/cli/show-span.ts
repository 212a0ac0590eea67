export { showSpan } from "../lib/show-span.ts";
