/** Source: PostgreSQL, appendix A. Node's own codes, such as EPIPE, have another shape. */
const SQL_STATE = /^(?:\d[\dA-Z]|F0|HV|P0|XX)[\dA-Z]{3}$/

/** Five-character SQLSTATE of a failed statement; undefined without a response of the database. The error may be wrapped. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string' && SQL_STATE.test(error.code)) return error.code
  return sqlState(error.cause)
}
