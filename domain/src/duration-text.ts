/** '2 h 05 min' or '40 min'. */
export function durationText(minutes: number): string {
  const whole = Math.round(minutes)
  const hours = Math.floor(whole / 60)
  return hours > 0 ? `${hours} h ${String(whole % 60).padStart(2, '0')} min` : `${whole} min`
}
