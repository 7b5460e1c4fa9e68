/** What is said of a GS1 company prefix. */
export const COMPANY_PREFIX = /^\d{4,12}$/

/** Digits of an SSCC before its check digit, and of a GTIN-14 before it. */
const SSCC_BODY = 17

/** The check digit of a GS1 key without it. Source: GS1 General Specifications §7.9.1, modulo 10. */
export function checkDigit(body: string): number {
  const sum = [...body].reverse().reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** Is this a key of so many digits with the right check digit? */
export const isGs1Key = (text: string, length: number): boolean =>
  text.length === length && /^\d+$/.test(text) && checkDigit(text.slice(0, -1)) === Number(text.at(-1))

/**
 * The SSCC of the box with this number among those of a company prefix; null when the prefix has no more numbers. The
 * extension digit counts too, so that a prefix of seven digits has 10,000,000,000 of them.
 */
export function ssccOf(prefix: string, number: number): string | null {
  const digits = SSCC_BODY - 1 - prefix.length
  const serial = String(number).padStart(digits + 1, '0')
  if (!Number.isSafeInteger(number) || number < 0 || serial.length > digits + 1) return null
  const body = `${serial[0]}${prefix}${serial.slice(1)}`
  return `${body}${checkDigit(body)}`
}

/** The number of the box with this SSCC; null when it is not of this prefix. */
export function numberOfSscc(prefix: string, sscc: string): number | null {
  if (!isGs1Key(sscc, SSCC_BODY + 1) || sscc.slice(1, 1 + prefix.length) !== prefix) return null
  return Number(`${sscc[0]}${sscc.slice(1 + prefix.length, -1)}`)
}
