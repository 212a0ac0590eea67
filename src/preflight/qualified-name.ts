const NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_SUBDOMAIN = 253;

/** What the key of a label or taint must look like, for the end of a sentence. */
export const KEY_SYNTAX = 'a name of up to 63 letters, digits, "-", "_" and ".", after a DNS name and "/" if it has a prefix';

/** What the value of a label or taint must look like, for the end of a sentence. */
export const VALUE_SYNTAX = 'up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';

/** Whether Kubernetes takes `key` as the key of a label or taint: "app", "example.com/team". */
export function isQualifiedName(key: string): boolean {
  const parts = key.split("/");
  const name = parts.pop() ?? "";
  return NAME.test(name) && parts.length < 2 && parts.every(isSubdomain);
}

/** Whether Kubernetes takes `value` as the value of a label or taint; it may be empty. */
export function isLabelValue(value: string): boolean {
  return value === "" || NAME.test(value);
}

function isSubdomain(text: string): boolean {
  return text.length <= LONGEST_SUBDOMAIN && SUBDOMAIN.test(text);
}
