// Stands in for Node.js's own `performance`, which takes more than a millisecond to load: what the agent and undici use of it, by the same clock.
export const performance = /* @__PURE__ */ sinceStart();

function sinceStart() {
  const now = () => process.uptime() * 1000;
  return { now, timeOrigin: Date.now() - now() };
}
