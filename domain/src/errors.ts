/**
 * Every failure a caller can act on, with its HTTP status. One table, so a code cannot lack a status.
 * Codes are stable; messages are for people and may change.
 */
export const errorStatus = {
  'input.invalid': 400,
  'input.too_large': 413,
  'input.media_type': 415,
  'link.foreign_origin': 400,
  'token.invalid': 400,
  'auth.required': 401,
  'signin.refused': 401,
  'twofa.refused': 401,
  'account.inactive': 403,
  'account.disabled': 403,
  'auth.forbidden': 403,
  'auth.origin': 403,
  'auth.confirm': 403,
  'auth.second_factor': 403,
  not_found: 404,
  'category.not_found': 404,
  'product.not_found': 404,
  'box.not_found': 404,
  'file.not_found': 404,
  'user.not_found': 404,
  conflict: 409,
  'version.stale': 409,
  'delete.not_disabled': 409,
  'category.has_products': 409,
  'category.title_taken': 409,
  'box.differs': 409,
  'box.sealed': 409,
  'product.in_orders': 409,
  'product.unit_in_use': 409,
  'stock.insufficient': 409,
  'price.changed': 409,
  'slot.unavailable': 409,
  'slot.has_orders': 409,
  'order.not_found': 404,
  'order.state': 409,
  'order.asks_buyer': 409,
  'order.unpaid': 409,
  'payment.differs': 409,
  'coupon.refused': 409,
  'box.insufficient': 409,
  'box.recalled': 409,
  'box.not_recalled': 409,
  'box.off_sale': 409,
  'idempotency.running': 409,
  'idempotency.differs': 422,
  'rate.limited': 429,
  unavailable: 503,
  insufficient_storage: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

/** Type guard for codes of the table. */
export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(errorStatus, code)

/** One invalid field: its path in the input, and why. `path` is '' for the whole input. */
export type FieldError = { path: string; message: string }

/** A failure that a caller can act on. Callers read `code`, people `message`, logs `details` and `cause`. */
export class ShopError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  readonly fields: readonly FieldError[]

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: Record<string, unknown>; fields?: readonly FieldError[]; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.name = 'ShopError'
    this.code = code
    this.details = more.details ?? {}
    this.fields = more.fields ?? []
  }

  /** The built pages contain their own copy of this class, so `instanceof` checks the name and the code. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ShopError' && 'code' in value && isErrorCode(value.code)
  }

  /** HTTP status of this failure. */
  get status(): number {
    return errorStatus[this.code]
  }
}

/** The body of every error response: `{"error": {...}}`, the same for all routes. */
export type ErrorBody = {
  error: { code: ErrorCode | 'internal'; message: string; fields?: readonly FieldError[] } & Record<
    string,
    unknown
  >
}
