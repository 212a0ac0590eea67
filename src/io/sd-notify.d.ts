/** The part of it that is used: its compiled half sends these by sd_notify(3), and tells of no failure. */
declare module "sd-notify" {
  const sdNotify: { readonly sendState: (state: string) => void };
  export default sdNotify;
}
