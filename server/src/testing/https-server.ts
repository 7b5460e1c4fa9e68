import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** One element of DER. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const SEQUENCE = 0x30
const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'))
const utcTime = (at: Date): Buffer =>
  der(23, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))
const YEAR_MS = 365 * 86_400_000

/** A key and a certificate for `localhost` that it has signed itself (RFC 5280), made anew each time: none is kept anywhere. */
function localhostCertificate(): { key: string; cert: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const algorithm = der(SEQUENCE, oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const commonName = der(SEQUENCE, oid('550403'), der(12, Buffer.from('localhost')))
  const name = der(SEQUENCE, der(0x31, commonName))
  const now = Date.now()
  const extension = (id: string, value: Uint8Array) => der(SEQUENCE, oid(id), der(4, value))
  const isAuthority = extension('551d13', der(SEQUENCE, der(1, Buffer.from([255]))))
  const alternatives = extension('551d11', der(SEQUENCE, der(0x82, Buffer.from('localhost'))))
  const toBeSigned = der(
    SEQUENCE,
    der(0xa0, der(2, Buffer.from([2]))), // version 3
    der(2, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, utcTime(new Date(now - YEAR_MS)), utcTime(new Date(now + YEAR_MS))),
    name,
    publicKey,
    der(0xa3, der(SEQUENCE, isAuthority, alternatives)),
  )
  const signature = der(3, Buffer.from([0]), sign('sha256', toBeSigned, privateKey))
  const cert = der(SEQUENCE, toBeSigned, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** One for all servers of a process: of two authorities of one name only the first would be looked at. */
let own: { key: string; cert: string } | undefined

function trusted(made: { key: string; cert: string }): typeof made {
  setDefaultCACertificates([...getCACertificates('default'), made.cert])
  return made
}

export type HttpsServer = AsyncDisposable & { url: string; stop(): Promise<void> }

/** A server that speaks HTTPS as `localhost`, with a certificate that this process trusts from now on. */
export async function httpsServer(listener: RequestListener): Promise<HttpsServer> {
  own ??= trusted(localhostCertificate())
  const server = createServer(own, listener).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  return { url, stop, [Symbol.asyncDispose]: stop }
}
