import type { Digest } from '../digest.ts'
import { nodeHash } from '../log/tree.ts'

/** Complete subtrees that the tree over the first `size` entries of a log is made of, the largest first. */
export class LogEdge {
  readonly size: number
  readonly #hashes: readonly Digest[]

  constructor(size = 0, hashes: readonly Digest[] = []) {
    this.size = size
    this.#hashes = hashes
  }

  /** With one entry more. */
  with(leaf: Digest): LogEdge {
    const hashes = [...this.#hashes, leaf]
    for (let bits = this.size; bits % 2 === 1; bits = (bits - 1) / 2) {
      const [left, right] = hashes.splice(-2)
      if (left !== undefined && right !== undefined) hashes.push(nodeHash(left, right))
    }
    return new LogEdge(this.size + 1, hashes)
  }

  /** Root of that tree; there is none without entries. */
  get root(): Digest | undefined {
    return this.#hashes.reduceRight<Digest | undefined>(
      (right, left) => (right === undefined ? left : nodeHash(left, right)),
      undefined,
    )
  }

  get bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#hashes))
  }

  static of(size: number, bytes: Uint8Array): LogEdge {
    const count = bytes.length / 32
    return new LogEdge(
      size,
      Array.from({ length: count }, (_, i) => bytes.slice(i * 32, i * 32 + 32) as Digest),
    )
  }
}
