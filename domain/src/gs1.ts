import { boxPath } from './page-paths.ts'

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

/** What the path of a GS1 Digital Link names: a logistic unit, or a product with its lot and serial number. */
export type DigitalLink =
  | { ai: '00'; key: string }
  | { ai: '01'; key: string; lot: string | null; serial: string | null }

/** Up to 20 characters of set 82. Source: GS1 General Specifications §7.11. */
const TEXT_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/** The qualifiers of a product that are understood, in the only order that there is. */
const QUALIFIERS: readonly string[] = ['10', '21']

/**
 * Reads the path of a GS1 Digital Link URI: `/00/{sscc}` or `/01/{gtin}[/10/{lot}][/21/{serial}]`, each value
 * percent-encoded. Returns the reason as a sentence when it is none. Source: GS1 Digital Link: URI Syntax 1.6.
 */
export function parseDigitalLink(path: string): DigitalLink | { reason: string } {
  const parts = path.replace(/^\//, '').split('/').map(decoded)
  const [ai, key, ...rest] = parts
  if (parts.includes(null)) return { reason: 'A part of it is not encoded rightly.' }
  if (ai === '00') {
    if (!isGs1Key(key ?? '', 18))
      return { reason: 'After /00/ comes an SSCC: 18 digits, the last a check digit.' }
    return rest.length === 0 ? { ai, key: key ?? '' } : { reason: 'Nothing comes after an SSCC.' }
  }
  if (ai !== '01') return { reason: 'It begins with /00/ or /01/.' }
  if (!isGs1Key(key ?? '', 14))
    return { reason: 'After /01/ comes a GTIN of 14 digits, the last a check digit.' }
  return readQualifiers(key ?? '', rest)
}

function readQualifiers(key: string, rest: readonly (string | null)[]): DigitalLink | { reason: string } {
  const found = new Map<string, string>()
  let least = 0
  for (let i = 0; i < rest.length; i += 2) {
    const place = QUALIFIERS.indexOf(rest[i] ?? '')
    if (place < least)
      return { reason: 'After the GTIN come /10/ with the lot and then /21/ with the serial number.' }
    const value = rest[i + 1] ?? ''
    if (!TEXT_82.test(value)) return { reason: `After /${rest[i]}/ come 1 to 20 characters that GS1 allows.` }
    found.set(rest[i] ?? '', value)
    least = place + 1
  }
  return { ai: '01', key, lot: found.get('10') ?? null, serial: found.get('21') ?? null }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** The path of a link, each value percent-encoded. */
export function digitalLinkPath(link: DigitalLink): string {
  if (link.ai === '00') return `/00/${link.key}`
  const lot = link.lot === null ? '' : `/10/${encodeURIComponent(link.lot)}`
  const serial = link.serial === null ? '' : `/21/${encodeURIComponent(link.serial)}`
  return `/01/${link.key}${lot}${serial}`
}

/** The path by which the outside names a box: its SSCC as a link, or where the shop has no prefix of its own its page. */
export const boxLinkPath = (boxID: string, sscc: string | null): string =>
  sscc === null ? boxPath(boxID) : digitalLinkPath({ ai: '00', key: sscc })
