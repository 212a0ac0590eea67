/** A line of /proc/self/mountinfo: something that is mounted. */
export type Mount = {
  readonly mountPoint: string;
  /** What of its file system is mounted: "/", or for a bind mount the directory in it. */
  readonly root: string;
  /** "9:127": equal for all mounts of one file system. */
  readonly device: string;
};

/** What is mounted, in the order in which it was: of two at one place the later hides the earlier. */
export function parseMountInfo(text: string): readonly Mount[] {
  return text.split("\n").flatMap((line) => {
    const [, , device, root, mountPoint] = line.split(" ");
    if (device === undefined || root === undefined || mountPoint === undefined) return [];
    return [{ mountPoint: unescape(mountPoint), root: unescape(root), device }];
  });
}

/** The kernel writes white space and backslashes as octal numbers, byte by byte. */
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
