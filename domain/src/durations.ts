export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 86_400_000

/** Days from one date to another, both `YYYY-MM-DD`; negative when it is over. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
