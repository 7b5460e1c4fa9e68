import { decode, encode, Tagged } from 'cborg'
import { hexOf } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { readSenml } from './senml.ts'
import { MAX_STATEMENT_BYTES, type Statement } from './statement.ts'

/** Tag of COSE_Sign1. Source: RFC 9052 §2. */
const SIGN1 = 18
/** Labels of header parameters, EdDSA, and the content type of SenML-CBOR. Source: RFC 9052 §3.1, RFC 8428 §12.3. */
const [ALG, CONTENT_TYPE, KID] = [1, 3, 4]
const [EDDSA, SENML_CBOR] = [-8, 112]

/**
 * One encoding for each statement: shortest forms, definite lengths, no name twice, nothing that JSON has no word for.
 * Tags other than that of COSE_Sign1 are refused.
 */
const STRICT = {
  strict: true,
  useMaps: true,
  rejectDuplicateMapKeys: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  allowBigInt: false,
} as const

/**
 * Reads the statement of a logger: COSE_Sign1 over SenML-CBOR. Its key's id is in the protected header, and nothing
 * in the unprotected one, so that no byte is free. Source: RFC 9052 §4.2, RFC 8428, standards.md 'Signed readings'.
 * @throws FormatError with what is wrong
 */
export function readCoseStatement(bytes: Uint8Array): Statement {
  if (bytes.length > MAX_STATEMENT_BYTES) throw new FormatError('$', 'is too long')
  const decoded = decoding(bytes, Tagged.preserve(SIGN1))
  if (!(decoded instanceof Tagged)) throw new FormatError('$', 'is not a COSE_Sign1 message')
  const [protectedBytes, unprotected, payload, signature, ...more] = listOf(decoded.value)
  if (
    !(
      protectedBytes instanceof Uint8Array &&
      payload instanceof Uint8Array &&
      signature instanceof Uint8Array
    ) ||
    more.length > 0
  )
    throw new FormatError('$', 'must hold a protected header, an empty map, a payload and a signature')
  if (!(unprotected instanceof Map) || unprotected.size > 0)
    throw new FormatError('$.unprotected', 'must be an empty map')
  if (signature.length !== 64) throw new FormatError('$.signature', 'must have 64 bytes')
  return {
    key: keyIn(decoding(protectedBytes, {})),
    ...readSenml(decoding(payload, {})),
    message: encode(['Signature1', protectedBytes, new Uint8Array(), payload]),
    signature,
  }
}

/** cborg throws errors of its own; deep nesting and lengths beyond the input end in one, too. */
function decoding(bytes: Uint8Array, tags: ReturnType<typeof Tagged.preserve>): unknown {
  try {
    return decode(bytes, { ...STRICT, tags })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 100) : 'unknown error'
    throw new FormatError('$', `is not CBOR in the accepted form: ${reason}`)
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function keyIn(header: unknown): string {
  if (!(header instanceof Map) || header.size !== 3)
    throw new FormatError('$.protected', 'must hold algorithm, content type and key id, and nothing else')
  if (header.get(ALG) !== EDDSA) throw new FormatError('$.protected', 'must name EdDSA (-8) as algorithm')
  if (header.get(CONTENT_TYPE) !== SENML_CBOR)
    throw new FormatError('$.protected', 'must name SenML-CBOR (112) as content type')
  const kid: unknown = header.get(KID)
  if (!(kid instanceof Uint8Array) || kid.length !== 16)
    throw new FormatError('$.protected', 'must name the key by its id of 16 bytes')
  return hexOf(kid)
}
