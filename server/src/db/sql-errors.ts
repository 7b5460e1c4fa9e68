/** Source: PostgreSQL, appendix A. Node's own codes, such as EPIPE, have another shape. */
const SQL_STATE = /^(?:\d[\dA-Z]|F0|HV|P0|XX)[\dA-Z]{3}$/

/** Five-character SQLSTATE of a failed statement; undefined without a response of the database. The error may be wrapped. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string' && SQL_STATE.test(error.code)) return error.code
  return sqlState(error.cause)
}

/** SQLSTATE unique_violation. Source: PostgreSQL, appendix A. */
const UNIQUE_VIOLATION = '23505'

/** Did a statement violate the unique constraint `constraint`? The driver's error may be wrapped. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === UNIQUE_VIOLATION && 'constraint' in error)
    return error.constraint === constraint
  return isUniqueViolation(error.cause, constraint)
}

/** SQLSTATE foreign_key_violation. Source: PostgreSQL, appendix A. */
const FOREIGN_KEY_VIOLATION = '23503'

/** Did a statement name the account `id` although it is gone? The driver's error may be wrapped. */
export function namesGoneAccount(error: unknown, id: string): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && error.code === FOREIGN_KEY_VIOLATION && 'constraint' in error && 'detail' in error)
    return /_users_id_fk$/.test(`${error.constraint}`) && `${error.detail}`.includes(`=(${id})`)
  return namesGoneAccount(error.cause, id)
}
