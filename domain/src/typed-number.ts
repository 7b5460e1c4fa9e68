/** Digits with a point, commas only between thousands: '12.50', '1,200', '1,200.50'. Never '12,50' or '0,500'. */
const NUMBER = /^(-?)\$?((?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?)$/

/**
 * Parses a number typed into a form, filter or table, with or without a dollar sign. Any other value is returned
 * unchanged, for a schema to reject: a decimal comma must never turn 12,50 into $1,250.00.
 */
export function parseNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, sign = '', digits] = NUMBER.exec(value.trim()) ?? []
  return digits === undefined ? value : Number(`${sign}${digits.replaceAll(',', '')}`)
}

/**
 * Error of `z.number` for a typed number; where the input has a comma, it says how to write the number instead.
 * @param instead an example, such as '12.50 for twelve dollars fifty'
 */
export const numberError =
  (label: string, instead = 'commas only between thousands, as in 1,200') =>
  ({ input }: { input?: unknown }): string =>
    typeof input === 'string' && input.includes(',')
      ? `${label}: write ${instead}`
      : `${label} must be a number`
