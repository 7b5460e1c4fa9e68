import { FormatError } from '../format-error.ts'

/*
 * ASN.1 in DER, as far as time stamps and certificates need it. Strict: a length that could be shorter, a tag of several
 * bytes or anything that is left over is refused, so no two files say the same. Source: ITU-T X.690 §10 and §11.
 */

/** One value: its tag, what is in it, and its bytes with tag and length. */
export interface DerValue {
  readonly tag: number
  readonly content: Uint8Array
  readonly whole: Uint8Array
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** Tag of a part that is told by its number, with parts of its own. */
export const numbered = (number: number): number => 0xa0 | number

/** Most parts of one value: certificates and extensions have far fewer. */
const MAX_PARTS = 256
/** The first length that has bytes of its own, how many it may have, and the tags that continue in the next byte. */
const [LONG, MAX_LENGTH_BYTES, HIGH_TAG] = [0x80, 3, 0x1f]

/** The value at the beginning of these bytes. @throws FormatError */
function valueAt(bytes: Uint8Array, path: string): DerValue {
  const [tag = 0, first = 0] = bytes
  if (bytes.length < 2 || (tag & HIGH_TAG) === HIGH_TAG) throw new FormatError(path, 'is not DER')
  const more = first < LONG ? 0 : first - LONG
  if (first >= LONG && (more === 0 || more > MAX_LENGTH_BYTES || bytes.length < 2 + more))
    throw new FormatError(path, 'has a length that DER does not have')
  const length = first < LONG ? first : bytes.subarray(2, 2 + more).reduce((sum, byte) => sum * 256 + byte, 0)
  if (first >= LONG && (length < LONG || bytes[2] === 0))
    throw new FormatError(path, 'has a length that could be shorter')
  const end = 2 + more + length
  if (end > bytes.length) throw new FormatError(path, 'ends too early')
  return { tag, content: bytes.subarray(2 + more, end), whole: bytes.subarray(0, end) }
}

/** The one value that these bytes are. @throws FormatError */
export function readDer(bytes: Uint8Array, tag: number, path: string): DerValue {
  const value = valueAt(bytes, path)
  if (value.whole.length !== bytes.length) throw new FormatError(path, 'is followed by something else')
  if (value.tag !== tag) throw new FormatError(path, 'is another kind of value')
  return value
}

/** The parts of a value, in their order. */
export class DerParts {
  readonly #parts: DerValue[] = []
  readonly #path: string
  #at = 0

  /** @throws FormatError */
  constructor({ content }: DerValue, path: string) {
    this.#path = path
    for (let rest = content; rest.length > 0; ) {
      if (this.#parts.length >= MAX_PARTS) throw new FormatError(path, `has more than ${MAX_PARTS} parts`)
      const part = valueAt(rest, path)
      this.#parts.push(part)
      rest = rest.subarray(part.whole.length)
    }
  }

  /** The next, which has to have this tag. @throws FormatError */
  take(tag: number, name: string): DerValue {
    const part = this.optional(tag)
    if (part === undefined) throw new FormatError(`${this.#path}.${name}`, 'is missing or of another kind')
    return part
  }

  /** The next, where it has this tag. */
  optional(tag: number): DerValue | undefined {
    const part = this.#parts[this.#at]
    if (part?.tag !== tag) return undefined
    this.#at += 1
    return part
  }

  /** All that are left, each of which has this tag. @throws FormatError */
  rest(tag: number, name: string): DerValue[] {
    const parts: DerValue[] = []
    while (this.#at < this.#parts.length) parts.push(this.take(tag, name))
    return parts
  }

  /** @throws FormatError where something is left */
  end(): void {
    if (this.#at < this.#parts.length) throw new FormatError(this.#path, 'has parts that are not known')
  }
}

/** An object identifier as it is written with dots. @throws FormatError */
export function oidText({ content }: DerValue, path: string): string {
  const numbers: number[] = []
  let open = 0
  for (const [i, byte] of content.entries()) {
    const isFirst = i === 0 || (content[i - 1] ?? 0) < LONG
    if (isFirst && byte === LONG) throw new FormatError(path, 'has a number that could be shorter')
    open = open * 128 + (byte & 0x7f)
    if (!Number.isSafeInteger(open)) throw new FormatError(path, 'has a number that is too large')
    if (byte >= LONG) continue
    numbers.push(open)
    open = 0
  }
  const [first] = numbers
  if (first === undefined || (content.at(-1) ?? 0) >= LONG) throw new FormatError(path, 'ends too early')
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...numbers.slice(1)].join('.')
}

/** The bytes of a whole number, the most significant first, as short as they can be. @throws FormatError */
export function integerBytes({ content }: DerValue, path: string): Uint8Array {
  const [first, second = 0] = content
  if (first === undefined) throw new FormatError(path, 'has no bytes')
  const isLong = content.length > 1 && ((first === 0 && second < LONG) || (first === 0xff && second >= LONG))
  if (isLong) throw new FormatError(path, 'is a number that could be shorter')
  return content
}

/** A whole number from 0 to 2³¹ − 1. @throws FormatError */
export function smallNumber(value: DerValue, path: string): number {
  const bytes = integerBytes(value, path)
  if (bytes.length > 4 || (bytes[0] ?? 0) >= LONG) throw new FormatError(path, 'is not a small number')
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}

/** @throws FormatError */
export function booleanOf({ content }: DerValue, path: string): boolean {
  const [byte] = content
  if (content.length !== 1 || (byte !== 0 && byte !== 0xff)) throw new FormatError(path, 'is no truth value')
  return byte === 0xff
}

const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{0,8}[1-9]))?Z$/

/** Milliseconds since 1970 of a GeneralizedTime. Source: RFC 3161 §2.4.2. @throws FormatError */
export function timeOf({ content }: DerValue, path: string): number {
  const [, year, month, day, hour, minute, second, part = ''] =
    TIME.exec(Buffer.from(content).toString('latin1')) ?? []
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${part.slice(0, 3).padEnd(3, '0')}Z`
  const time = Date.parse(text)
  if (year === undefined || Number.isNaN(time) || new Date(time).toISOString() !== text)
    throw new FormatError(path, 'is no time in UTC')
  return time
}

/** A value of these parts. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  const { length } = content
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  const header = length < LONG ? [tag, length] : [tag, LONG + bytes.length, ...bytes]
  return Uint8Array.of(...header, ...content)
}

/** An object identifier, of its text with dots. */
export function derOid(text: string): Uint8Array {
  const [root = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [root * 40 + second, ...rest].flatMap((number) => {
    const digits = [number % 128]
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift(LONG + (left % 128))
    return digits
  })
  return der(tags.oid, Uint8Array.from(bytes))
}
