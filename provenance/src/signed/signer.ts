import { createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import { encode, Tagged } from 'cborg'
import { keyIdOf, type RegisterEntry, type SigningLevel } from './device-register.ts'
import type { SignedMark } from './signed-data.ts'
import { FIRST, jcsStatementText, type SignedReading } from './statement.ts'

/** What a logger's message says. */
export type Message = {
  box: string
  counter: number
  readings: readonly { timeS: number; temperature: number; place?: readonly [number, number] }[]
  battery?: number
  sensor?: string
  /** Without it the statement is of the older form. */
  prev?: string
}

/** What a scale's message says. */
export type ScaleMessage = {
  box: string
  counter: number
  of: 'catch' | 'box'
  grams: number
  timeS: number
  sensor?: string
  prev?: string
}

/** A device with a key of its own, in Node: for commands, the simulator, measurements and tests. */
export class Signer {
  readonly #secret: KeyObject
  readonly publicKey: Uint8Array
  readonly id: string
  /** By box the hash of what it signed last: kept with the key, or the device begins anew when it is started again. */
  readonly heads: Map<string, string>

  /**
   * @param secret an Ed25519 key; without one a new key is made
   * @param heads what was kept of an earlier run
   */
  constructor(
    secret: KeyObject = generateKeyPairSync('ed25519').privateKey,
    heads: Iterable<readonly [box: string, hash: string]> = [],
  ) {
    this.#secret = secret
    this.heads = new Map(heads)
    this.publicKey = Buffer.from(createPublicKey(secret).export({ format: 'jwk' }).x ?? '', 'base64url')
    this.id = keyIdOf(this.publicKey)
  }

  sign(message: Uint8Array): Uint8Array {
    return sign(null, message, this.#secret)
  }

  /** Its entry in the register. */
  entry(
    level: SigningLevel,
    validFrom: string,
    revokedAt: string | null = null,
  ): RegisterEntry & { [name: string]: string | null } {
    const key = Buffer.from(this.publicKey).toString('hex')
    return { id: this.id, key, level, name: 'A device of a test', validFrom, revokedAt }
  }

  /** COSE_Sign1 over any payload. */
  cose(payload: Uint8Array, header: readonly (readonly [number, unknown])[] = this.header()): Uint8Array {
    const protectedBytes = encode(new Map(header))
    const signature = this.sign(encode(['Signature1', protectedBytes, new Uint8Array(), payload]))
    return encode(new Tagged(18, [protectedBytes, new Map(), payload, signature]))
  }

  header(prev?: string): [number, unknown][] {
    return [
      [1, -8],
      [3, 112],
      [4, Buffer.from(this.id, 'hex')],
      ...(prev === undefined ? [] : [[-70_001, Buffer.from(prev, 'hex')] as [number, unknown]]),
    ]
  }

  /** A logger's message: SenML-CBOR in COSE_Sign1. */
  logger(message: Message): Uint8Array {
    return this.cose(encode(senmlOf(message)), this.header(message.prev))
  }

  /** The same, on from what this device signed last about the box. */
  chained(message: Omit<Message, 'prev'>): Uint8Array {
    const bytes = this.logger({ ...message, prev: this.heads.get(message.box) ?? FIRST })
    this.heads.set(message.box, hash('sha256', bytes))
    return bytes
  }

  /** A scale's message, on from what it signed last about the box. */
  weighing(message: Omit<ScaleMessage, 'prev'>): Uint8Array {
    const series = `scale ${message.box}`
    const bytes = this.scale({ ...message, prev: this.heads.get(series) ?? FIRST })
    this.heads.set(series, hash('sha256', bytes))
    return bytes
  }

  /** A scale's message as it is given. */
  scale({ prev = FIRST, ...message }: ScaleMessage): Uint8Array {
    return this.cose(encode(weighingPackOf(message)), this.header(prev))
  }

  /** What a record holds of a reading of a phone or gateway. */
  jcsMark(
    reading: SignedReading,
    about: { box: string; counter: number; prev?: string | undefined },
    level: SigningLevel = 'gateway',
  ): SignedMark {
    const text = jcsStatementText(reading, { key: this.id, ...about })
    const signature = Buffer.from(this.sign(Buffer.from(text))).toString('hex')
    return { form: 'jcs', level, key: this.id, text, signature }
  }
}

/** The entry with the counter of a statement. */
const countEntry = (counter: number): Map<number, unknown> =>
  new Map<number, unknown>([
    [0, 'count'],
    [1, 'count'],
    [2, counter],
  ])

/** The SenML pack of a scale. */
export const weighingPackOf = ({
  box,
  counter,
  of,
  grams,
  timeS,
  sensor = 'urn:dev:mac:0024befffe80aaaa',
}: Omit<ScaleMessage, 'prev'>): Map<number, unknown>[] => [
  new Map<number, unknown>([
    [-2, `${sensor}_`],
    [-3, timeS],
    [0, 'box'],
    [3, box],
  ]),
  countEntry(counter),
  new Map<number, unknown>([
    [0, 'of'],
    [3, of],
  ]),
  new Map<number, unknown>([
    [0, 'mass'],
    [1, 'kg'],
    [2, grams / 1000],
  ]),
]

/** A SenML pack, first record with the base values. */
export function senmlOf({
  box,
  counter,
  readings,
  battery,
  sensor = 'urn:dev:mac:0024befffe804ff1',
}: Message): unknown[] {
  const startS = readings[0]?.timeS ?? 0
  const pack = [
    new Map<number, unknown>([
      [-2, `${sensor}_`],
      [-3, startS],
      [-4, 'Cel'],
      [0, 'box'],
      [3, box],
    ]),
    countEntry(counter),
  ]
  if (battery !== undefined)
    pack.push(
      new Map<number, unknown>([
        [0, 'bat'],
        [1, '%EL'],
        [2, battery],
      ]),
    )
  for (const { timeS, temperature, place } of readings) {
    const t = timeS === startS ? [] : [[6, timeS - startS] as [number, unknown]]
    pack.push(new Map<number, unknown>([[0, 'temp'], [2, temperature], ...t]))
    if (place === undefined) continue
    pack.push(new Map<number, unknown>([[0, 'lat'], [1, 'lat'], [2, place[0]], ...t]))
    pack.push(new Map<number, unknown>([[0, 'lon'], [1, 'lon'], [2, place[1]], ...t]))
  }
  return pack
}
