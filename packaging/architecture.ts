/** An architecture in Node.js's words, with the words that rpm and the tools of GNU and QEMU have for it. */
export const ARCHITECTURES = {
  x64: { rpm: "x86_64", gnu: "x86_64-linux-gnu", qemu: "qemu-x86_64-static" },
  arm64: { rpm: "aarch64", gnu: "aarch64-linux-gnu", qemu: "qemu-aarch64-static" },
} as const;

export type Architecture = keyof typeof ARCHITECTURES;

export function parseArchitecture(text: string): Architecture {
  if (text === "x64" || text === "arm64") return text;
  throw new Error(`"${text}" is not an architecture that the agent is built for: expected x64 or arm64`);
}

export const HOST = parseArchitecture(process.arch);
