/** Error codes of the system (POSIX errno) and of PostgreSQL (`disk_full`, appendix A). */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Did something fail because there is no space left? The system's error may be the cause of another one. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && FULL.has(String(error.code))) || isStorageFull(error.cause)
}
