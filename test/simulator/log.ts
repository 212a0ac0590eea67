import type { SimulatedRequest } from "./simulator.ts";

/** The longest chain of requests each of which began after the one before it had ended. */
export function depthOf(requests: readonly SimulatedRequest[]): number {
  const depths: number[] = [];
  for (const [index, request] of requests.entries()) {
    const earlier = requests.slice(0, index).map((other, at) => ((other.end ?? Infinity) <= request.start ? (depths[at] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...earlier));
  }
  return Math.max(0, ...depths);
}

/** The greatest number of requests unanswered at one time. */
export function mostInFlight(requests: readonly SimulatedRequest[]): number {
  const at = (time: number): number => requests.filter(({ start, end }) => start <= time && (end ?? Infinity) > time).length;
  return Math.max(0, ...requests.map(({ start }) => at(start)));
}

/** "GET /latest/meta-data/mac", in the order of arrival. */
export function showRequests(requests: readonly SimulatedRequest[]): readonly string[] {
  return requests.map(({ method, target }) => (target.startsWith("/") ? `${method} ${target}` : target));
}
