/** Digits with a point, commas only between thousands: '12.50', '1,200', '1,200.50'. Never '12,50' or '0,500'. */
const NUMBER = /^(-?)\$?((?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?)$/

/**
 * The number that a person typed into a form, a filter or a table, with or without a dollar sign. Any other value
 * comes back as it is, for a schema to refuse: a comma where others write the point must never make $1,250.00 of 12,50.
 */
export function numberOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, sign = '', digits] = NUMBER.exec(value.trim()) ?? []
  return digits === undefined ? value : Number(`${sign}${digits.replaceAll(',', '')}`)
}

/**
 * Why what was typed is no number, for `z.number`: of a comma in it how it is written instead.
 * @param instead an amount as it is written and said, for example '12.50 for twelve dollars fifty'
 */
export const notANumber =
  (label: string, instead = 'commas only between thousands, as in 1,200') =>
  ({ input }: { input?: unknown }): string =>
    typeof input === 'string' && input.includes(',')
      ? `${label}: write ${instead}`
      : `${label} must be a number`
