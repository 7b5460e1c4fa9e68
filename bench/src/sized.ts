/** Set by the smoke test: each script runs once with sizes at which its figures mean nothing, but with all of its steps. */
export const isSmoke = process.env.BENCH_SMOKE === '1'

/** A size of a measurement, or the small one of its smoke test. */
export const sized = <T>(full: T, smoke: T): T => (isSmoke ? smoke : full)

/**
 * Ends a script that only measures time once its imports and its options were read, when it is smoke-tested. Call it
 * before the script starts anything.
 */
export function endSmoke(): void {
  if (isSmoke) process.exit(0)
}
