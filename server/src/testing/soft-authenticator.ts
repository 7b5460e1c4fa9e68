import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Errors that a test's authenticator can make. */
export type Faults = { origin?: string; rpId?: string; verified?: boolean }

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/**
 * An authenticator in software with one ES256 key, for tests of the server: makes what a browser would send.
 * Byte layouts: WebAuthn Level 3 §6.1 (authenticator data), RFC 9053 §7.1 (key), RFC 8949 (CBOR).
 */
export function softAuthenticator(site: { origin: string; rpId: string }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, challenge: string, { origin = site.origin }: Faults) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const authData = (flags: number, { rpId = site.rpId, verified = true }: Faults, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    const allFlags = flags | USER_PRESENT | (verified ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([allFlags]), count, rest])
  }

  const credential = () => {
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    return Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey])
  }

  const sent = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
  } as const
  return {
    register: (challenge: string, faults: Faults = {}) => {
      const data = authData(HAS_CREDENTIAL, faults, credential())
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      const client = clientData('webauthn.create', challenge, faults)
      return {
        ...sent,
        response: {
          clientDataJSON: base64url(client),
          attestationObject: base64url(attestation),
          transports: ['internal' as const],
        },
      }
    },
    answer: (challenge: string, faults: Faults = {}) => {
      const data = authData(0, faults)
      const client = clientData('webauthn.get', challenge, faults)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...sent,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      }
    },
  }
}
