import { loadAddon } from "./addon.ts";

/**
 * Sends one datagram to a Unix socket; "@" begins the name of one outside of the file system.
 *
 * @returns 0, or the errno of what failed
 */
export type SendDatagram = (socket: string, bytes: Buffer) => number;

/** @throws Error where the addon cannot be had, as loadAddon() does */
export function openDatagrams(load: (name: string) => unknown = loadAddon): SendDatagram {
  const addon = load("datagram");
  if (!isDatagramAddon(addon)) throw new Error('the addon "datagram" has no sendDatagram');
  return addon.sendDatagram;
}

function isDatagramAddon(addon: unknown): addon is { readonly sendDatagram: SendDatagram } {
  return typeof addon === "object" && addon !== null && "sendDatagram" in addon && typeof addon.sendDatagram === "function";
}
