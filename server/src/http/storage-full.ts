/** Of the system, and of PostgreSQL (`disk_full`): POSIX errno, PostgreSQL appendix A. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Did something fail because there is no space left to write? The error of the system may stand wrapped. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && FULL.has(String(error.code))) || isStorageFull(error.cause)
}
