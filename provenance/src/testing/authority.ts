import { execFile, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Certificate, certificatesIn } from '../evidence/certificates.ts'

/*
 * An authority that stamps times, by OpenSSL: its own root, an authority below that, and certificates for stamping, sound
 * ones and others.
 */

/** Whether this machine can be one; for tests that need it. */
export const withOpenssl =
  spawnSync('openssl', ['version']).status === 0 ? {} : { skip: 'there is no openssl here' }

const run = promisify(execFile)

/** How a certificate for stamping is made. */
interface Kind {
  readonly key: 'rsa:2048' | 'ec'
  readonly extensions: string
  /** As `openssl ca` takes them; unset: from now for ten years. */
  readonly from?: string
  readonly to?: string
}
const STAMPING = 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature'
const kinds = {
  rsa: { key: 'rsa:2048', extensions: STAMPING },
  ec: { key: 'ec', extensions: STAMPING },
  expired: { key: 'ec', extensions: STAMPING, from: '20200101000000Z', to: '20210101000000Z' },
  mail: { key: 'ec', extensions: 'extendedKeyUsage=critical,emailProtection' },
  more: { key: 'ec', extensions: 'extendedKeyUsage=critical,timeStamping,emailProtection' },
  lenient: { key: 'ec', extensions: 'extendedKeyUsage=timeStamping' },
} as const satisfies Record<string, Kind>
export type KindOfCertificate = keyof typeof kinds

const settings = (folder: string): string => `
[ca]
default_ca = below
[below]
dir = ${folder}
database = ${folder}/index.txt
serial = ${folder}/serial
new_certs_dir = ${folder}
certificate = ${folder}/below.pem
private_key = ${folder}/below.key
default_md = sha256
default_days = 3650
policy = any
unique_subject = no
[any]
commonName = supplied
[tsa]
default_tsa = stamping
[stamping]
serial = ${folder}/stamps
crypto_device = builtin
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256, sha512
accuracy = secs:1, millisecs:500
ess_cert_id_alg = sha256
`

export class Authority {
  readonly folder: string
  /** How often it was asked for a time stamp. */
  asked = 0
  /** By what the last request said who asks. */
  authorization: string | undefined
  /** What it answers in place of a time stamp, for tests of what goes wrong. */
  instead: ((request: Uint8Array, response: ServerResponse) => Promise<void> | void) | undefined

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<Authority> {
    const authority = new Authority(await mkdtemp(join(tmpdir(), 'authority-')))
    const { folder } = authority
    await writeFile(join(folder, 'settings'), settings(folder))
    await writeFile(join(folder, 'index.txt'), '')
    for (const name of ['serial', 'stamps']) await writeFile(join(folder, name), '01\n')
    const isAuthority = [
      '-addext',
      'basicConstraints=critical,CA:TRUE',
      '-addext',
      'keyUsage=critical,keyCertSign',
    ]
    const root = ['-x509', '-days', '3650', '-out', 'root.pem', '-subj', '/CN=Sample root', ...isAuthority]
    await authority.#openssl('req', ...authority.#newKey('ec', 'root'), ...root)
    await authority.#openssl(
      'req',
      '-new',
      ...authority.#newKey('ec', 'below'),
      '-out',
      'below.csr',
      '-subj',
      '/CN=Sample authority',
    )
    await writeFile(
      join(folder, 'below.ext'),
      'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign',
    )
    const signed = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-days', '3650']
    await authority.#openssl(
      'x509',
      '-req',
      '-in',
      'below.csr',
      ...signed,
      '-extfile',
      'below.ext',
      '-out',
      'below.pem',
    )
    await authority.certificate('rsa')
    return authority
  }

  async #openssl(...args: readonly string[]): Promise<void> {
    await run('openssl', [...args], { cwd: this.folder })
  }

  #newKey(key: string, name: string): string[] {
    const curve = key === 'ec' ? ['-pkeyopt', 'ec_paramgen_curve:P-256'] : []
    return ['-newkey', key, ...curve, '-nodes', '-keyout', `${name}.key`]
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  read(name: string): Promise<Buffer> {
    return readFile(this.path(name))
  }

  /** Makes a certificate for stamping, by the authority below the root. */
  async certificate(name: KindOfCertificate): Promise<void> {
    const kind: Kind = kinds[name]
    await this.#openssl(
      'req',
      '-new',
      ...this.#newKey(kind.key, name),
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=Sample ${name}`,
    )
    await writeFile(this.path(`${name}.ext`), kind.extensions)
    const dates = [
      ...(kind.from === undefined ? [] : ['-startdate', kind.from]),
      ...(kind.to === undefined ? [] : ['-enddate', kind.to]),
    ]
    const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`]
    await this.#openssl('ca', '-config', 'settings', '-batch', '-notext', ...files, ...dates)
  }

  /** A certificate of the same key, name, number and length as one of these, which is valid for longer. */
  async twin(name: KindOfCertificate): Promise<Uint8Array> {
    const { raw, serialNumber } = new X509Certificate(await this.read(`${name}.pem`))
    const files = ['-in', `${name}.csr`, '-out', 'twin.pem', '-extfile', `${name}.ext`]
    for (;;) {
      await writeFile(this.path('index.txt'), '')
      await writeFile(this.path('serial'), `${serialNumber}\n`)
      const until = ['-enddate', '20491231000000Z']
      await this.#openssl('ca', '-config', 'settings', '-batch', '-notext', ...files, ...until)
      const twin = new X509Certificate(await this.read('twin.pem')).raw
      if (twin.length === raw.length) return new Uint8Array(twin)
    }
  }

  /** A certificate that another one of these has signed, whether it may or not. */
  async issuedBy(issuer: string, extensions = STAMPING): Promise<Certificate> {
    const request = ['-out', 'issued.csr', '-subj', '/CN=Sample issued']
    await this.#openssl('req', '-new', ...this.#newKey('ec', 'made'), ...request)
    await writeFile(this.path('issued.ext'), extensions)
    const signed = ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial', '-days', '3650']
    const files = ['-in', 'issued.csr', '-extfile', 'issued.ext', '-out', 'made.pem']
    await this.#openssl('x509', '-req', ...files, ...signed)
    for (const end of ['pem', 'key']) await rename(this.path(`made.${end}`), this.path(`issued.${end}`))
    const [made] = certificatesIn((await this.read('issued.pem')).toString())
    if (made === undefined) throw new Error('no certificate was made')
    return made
  }

  /** The answer of `openssl ts` to a request, with the certificate and that of the authority above it. */
  async answer(
    request: Uint8Array,
    by: KindOfCertificate = 'rsa',
    ...more: readonly string[]
  ): Promise<Uint8Array> {
    await writeFile(this.path('request'), request)
    const signer = ['-signer', `${by}.pem`, '-inkey', `${by}.key`, '-chain', 'below.pem', ...more]
    await this.#openssl(
      'ts',
      '-reply',
      '-config',
      'settings',
      '-queryfile',
      'request',
      ...signer,
      '-out',
      'answer',
    )
    return new Uint8Array(await this.read('answer'))
  }

  /** A token of other content or by another certificate, which `openssl ts` would not make. */
  async token(content: Uint8Array, by: KindOfCertificate): Promise<Uint8Array> {
    await writeFile(this.path('content'), content)
    const form = ['-binary', '-nodetach', '-outform', 'DER', '-cades', '-nosmimecap', '-md', 'sha256']
    const type = ['-econtent_type', '1.2.840.113549.1.9.16.1.4']
    const files = ['-in', 'content', '-signer', `${by}.pem`, '-inkey', `${by}.key`, '-certfile', 'below.pem']
    await this.#openssl('cms', '-sign', ...form, ...type, ...files, '-out', 'token')
    return new Uint8Array(await this.read('token'))
  }

  /** Does OpenSSL take an answer for these bytes? */
  async isTaken(answer: Uint8Array, bytes: Uint8Array): Promise<boolean> {
    await writeFile(this.path('stamped'), bytes)
    await writeFile(this.path('kept'), answer)
    const files = ['-data', 'stamped', '-in', 'kept', '-CAfile', 'root.pem', '-untrusted', 'below.pem']
    return this.#openssl('ts', '-verify', ...files).then(
      () => true,
      () => false,
    )
  }

  /** Answers requests by HTTP, one after the other. */
  async serve(): Promise<{ url: string } & AsyncDisposable> {
    let turn: Promise<unknown> = Promise.resolve()
    const server = createServer((request, response) => {
      turn = turn.then(() => this.#respond(request, response)).catch(() => response.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}/stamp`,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    this.asked += 1
    this.authorization = request.headers.authorization
    const query = new Uint8Array(Buffer.concat(parts))
    if (this.instead !== undefined) return this.instead(query, response)
    const isQuery = request.headers['content-type'] === 'application/timestamp-query'
    if (request.method !== 'POST' || !isQuery) return void response.writeHead(400).end()
    response.setHeader('content-type', 'application/timestamp-reply')
    response.end(await this.answer(query))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true })
  }
}
