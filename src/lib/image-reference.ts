/** A container image as registries and containerd know it. */
export type ImageReference = {
  /** With host and tag, or digest: "docker.io/library/busybox:latest". */
  readonly full: string;
  /** "docker.io" */
  readonly host: string;
};

const DEFAULT_HOST = "docker.io";

/** Short forms are those of Docker's registry. Undefined for what is no reference. */
export function parseImageReference(text: string): ImageReference | undefined {
  const [, given, path, tag = "", digest = ""] = PATTERN.exec(text) ?? [];
  if (path === undefined) return undefined;
  const host = given?.slice(0, -1) ?? DEFAULT_HOST;
  const library = given === undefined && !path.includes("/") ? "library/" : "";
  return { host, full: `${host}/${library}${path}${tag === "" && digest === "" ? ":latest" : tag + digest}` };
}

/** The first part is a host if it has a dot or a port, or is localhost. */
const PATTERN = /^((?:localhost|(?=[^/]*[.:])[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9a-fA-F:]+\])(?::\d{1,5})?\/)?([a-z0-9][a-z0-9._/-]*)(:\w[\w.-]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,128})?$/;
