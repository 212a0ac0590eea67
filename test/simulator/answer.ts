/** What the simulator sends back. */
export type Answer = {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};
