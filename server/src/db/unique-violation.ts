/** SQLSTATE unique_violation. Source: PostgreSQL, appendix A. */
const UNIQUE_VIOLATION = '23505'

/** Did a statement violate the unique constraint `constraint`? The driver's error may be wrapped. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error)
    return error.constraint === constraint
  return isUniqueViolation(error.cause, constraint)
}
