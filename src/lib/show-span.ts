/** How long something took, as systemd-analyze writes it: "12ms", "1.234s", "2min 3.456s". */
export function showSpan(ms: number): string {
  const whole = Math.round(ms);
  if (whole < 1000) return `${whole}ms`;
  const minutes = Math.floor(whole / 60_000);
  const seconds = `${((whole % 60_000) / 1000).toFixed(3)}s`;
  return minutes === 0 ? seconds : `${minutes}min ${seconds}`;
}
