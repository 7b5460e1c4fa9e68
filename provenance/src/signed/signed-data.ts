import { isPlainObject, type JsonObject } from '../canonical.ts'
import { unhexed } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { type Fields, fields, integer, literal, matching, text } from '../validate.ts'
import type { Weighing } from './cose-weighing.ts'
import { type SigningLevel, signingLevels } from './device-register.ts'
import {
  MAX_STATEMENT_BYTES,
  MAX_STATEMENT_READINGS,
  pickReading,
  readJcsStatement,
  type SignedReading,
  type Statement,
} from './statement.ts'

/**
 * The member `signed` of a reading's record: the signed bytes as they came, and what they are said to be worth. `place`
 * counts from 0 among the readings of the statement.
 */
export type SignedMark =
  | {
      readonly form: 'jcs'
      readonly level: SigningLevel
      readonly key: string
      readonly text: string
      readonly signature: string
    }
  | {
      readonly form: 'cose'
      readonly level: SigningLevel
      readonly key: string
      readonly bytes: string
      readonly place: number
    }

/** A record's data that says that it was signed, whatever else is in it. */
export const isMarkedSigned = (data: unknown): boolean => isPlainObject(data) && Object.hasOwn(data, 'signed')

/** A mark with exactly these fields. @throws FormatError with the path of what is wrong */
export function parseSignedMark(value: unknown, path = '$'): SignedMark {
  const isCose = isPlainObject(value) && value.form === 'cose'
  const from = fields(value, path, [
    'form',
    'level',
    'key',
    ...(isCose ? ['bytes', 'place'] : ['text', 'signature']),
  ])
  const level = signingLevels.find((known) => known === from.of.level)
  if (level === undefined)
    throw new FormatError(`${path}.level`, `must be one of ${signingLevels.join(', ')}`)
  const known = { level, key: matching(from, 'key', /^[0-9a-f]{32}$/, '32 lower-case hex characters') }
  if (isCose)
    return {
      form: 'cose',
      ...known,
      bytes: hexIn(from, 'bytes', [1, MAX_STATEMENT_BYTES]),
      place: integer(from, 'place', [0, MAX_STATEMENT_READINGS - 1]),
    }
  return {
    form: literal(from, 'form', 'jcs'),
    ...known,
    text: text(from, 'text', [2, MAX_STATEMENT_BYTES]),
    signature: hexIn(from, 'signature', [64, 64]),
  }
}

function hexIn(from: Fields, name: string, [min, max]: readonly [number, number]): string {
  const hex = matching(from, name, /^([0-9a-f]{2})*$/, 'bytes in lower-case hex')
  if (hex.length < 2 * min || hex.length > 2 * max)
    throw new FormatError(`${from.path}.${name}`, `must have ${min} to ${max} bytes`)
  return hex
}

let cose: typeof import('./cose-statement.ts') | undefined

/**
 * The statement that a mark holds. CBOR is loaded with the first that needs it.
 * @throws FormatError
 * @throws Error when it can't be loaded: no fault of what was signed, as the TypeError of a browser would be taken for
 */
export async function readMarkedStatement(mark: SignedMark): Promise<Statement> {
  if (mark.form === 'jcs') return readJcsStatement(mark.text, unhexed(mark.signature))
  cose ??= await import('./cose-statement.ts').catch((cause) => {
    throw Error('CBOR', { cause })
  })
  return cose.readCoseStatement(unhexed(mark.bytes))
}

let weighed: typeof import('./weighed-data.ts') | undefined

/** The same for the record of a weight that names its scale's: exactly what the record says. @throws as `readMarkedStatement` */
export async function readWeighed(data: JsonObject): Promise<Weighing> {
  weighed ??= await import('./weighed-data.ts').catch((cause) => {
    throw Error('CBOR', { cause })
  })
  return weighed.weighingIn(data)
}

/** The reading of a statement that is a record's, where the record says exactly the same. @throws FormatError */
export function markedReading(data: unknown, mark: SignedMark, statement: Statement): SignedReading {
  const place = mark.form === 'cose' ? mark.place : 0
  const reading = statement.readings[place]
  if (reading === undefined) throw new FormatError('$.signed.place', 'is not a position in what was signed')
  if (!isPlainObject(data)) throw new FormatError('$', 'must be an object')
  const { signed, ...said } = data
  if (!isSame(signed, mark) || !isSame(said, pickReading(reading)))
    throw new FormatError('$', 'differs from what was signed')
  return reading
}

/**
 * Are these the very texts and numbers, and nothing beside them? Field by field: to write thousands of statements and
 * readings twice each would take most of their check.
 */
const isSame = (value: unknown, wanted: SignedMark | SignedReading): boolean =>
  isPlainObject(value) &&
  Object.keys(value).length === Object.keys(wanted).length &&
  Object.entries(wanted).every(([name, known]) => Object.hasOwn(value, name) && value[name] === known)
