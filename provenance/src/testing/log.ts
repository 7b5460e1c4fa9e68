import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Digest, utf8 } from '../digest.ts'
import { addRequestText } from '../log/add-checkpoint.ts'
import { keyTypes, verifierKey, verifierKeyText } from '../log/note.ts'
import { type Signer, signCheckpoint } from '../log/signed-checkpoint.ts'
import {
  entryBundle,
  hashOfRow,
  hasTile,
  leafHash,
  parseTilePath,
  proveConsistency,
  proveInclusion,
  type ReadHash,
  rootOf,
  TILE_WIDTH,
} from '../log/tree.ts'

/** A key of its own, of this kind. */
export function newSigner(name: string, type: number = keyTypes.ed25519): Signer {
  const ed = type !== keyTypes.mlDsa44Cosigner
  const { privateKey, publicKey } = ed ? generateKeyPairSync('ed25519') : generateKeyPairSync('ml-dsa-44')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(ed ? -32 : -1312)
  return { key: verifierKey(name, type, new Uint8Array(raw)), sign: (bytes) => sign(null, bytes, privateKey) }
}

export const ORIGIN = 'fish.example/befaqt/log'

/** A log in memory, of any entries. */
export class TestLog {
  readonly signer: Signer
  readonly #entries: string[] = []
  readonly #leaves: Digest[] = []

  constructor(signer: Signer = newSigner(ORIGIN)) {
    this.signer = signer
  }

  get size(): number {
    return this.#leaves.length
  }

  append(...entries: readonly string[]): this {
    this.#entries.push(...entries)
    this.#leaves.push(...entries.map((entry) => leafHash(utf8(entry))))
    return this
  }

  /** Another history with the same key, which parts from this one after so many entries. */
  fork(size = this.size): TestLog {
    return new TestLog(this.signer).append(...this.#entries.slice(0, size))
  }

  readonly #read: ReadHash = async (level, index) =>
    hashOfRow(this.#leaves.slice(index * 2 ** level, (index + 1) * 2 ** level))

  root(size = this.size): Promise<Digest> {
    return rootOf(size, this.#read)
  }

  /** The signed checkpoint of the first entries. */
  async note(size = this.size): Promise<string> {
    return signCheckpoint({ origin: this.signer.key.name, size, root: await this.root(size) }, this.signer)
  }

  /** The way of an entry up to the root over the first `size`. */
  inclusion(index: number, size = this.size): Promise<Digest[]> {
    return proveInclusion(index, size, this.#read)
  }

  /** What a witness is sent that saw `old` entries. */
  async request(old: number, size = this.size): Promise<string> {
    const proof = old <= size ? await proveConsistency(old, size, this.#read) : []
    return addRequestText({ old, proof, note: await this.note(size) })
  }

  /**
   * Serves checkpoint, key and tiles, of what it has when asked: at its address, and below `/log`.
   * @param shown the history that is shown instead, when asked
   */
  async serve(shown: () => TestLog = () => this): Promise<AsyncDisposable & { url: string }> {
    const server = createServer((request, response) => {
      void shown()
        .answer((request.url ?? '').replace(/^\/(?:log\/)?/, ''))
        .then((body) => response.writeHead(body === undefined ? 404 : 200).end(body))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }

  /** What stands at a path below its address. */
  async answer(path: string): Promise<string | Uint8Array | undefined> {
    if (path === 'checkpoint') return this.size === 0 ? undefined : this.note()
    if (path === 'key') return `${verifierKeyText(this.signer.key)}\n`
    const tile = parseTilePath(path)
    if (tile === undefined || !hasTile(tile, this.size)) return undefined
    const { level, index, width } = tile
    const first = index * TILE_WIDTH
    if (level === 'entries') return entryBundle(this.#entries.slice(first, first + width).map(utf8))
    const hashes: Digest[] = []
    for (let at = index * TILE_WIDTH; hashes.length < width; at++)
      hashes.push(await this.#read(level * 8, at))
    return Buffer.concat(hashes)
  }
}
