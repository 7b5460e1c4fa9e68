import { textOf } from '../digest.ts'
import { ask } from '../log/ask.ts'
import { type BlockHeader, parseHeader } from './ots.ts'

/*
 * The header of a Bitcoin block, by its height, from a node that somebody believes. Source: Bitcoin Core,
 * doc/REST-interface.md (started with -rest); Blockstream/esplora, API.md.
 */

/** Where each kind of server has the hash of a block, by its height, and the header, by its hash. */
const kinds = [
  {
    hash: (height: number) => `rest/blockhashbyheight/${height}.hex`,
    header: (hash: string) => `rest/headers/1/${hash}.hex`,
  },
  {
    hash: (height: number) => `block-height/${height}`,
    header: (hash: string) => `block/${hash}/header`,
  },
]

/** Milliseconds for each answer, and its longest. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 1_024 }

/** @throws Error where the node shows no such block */
export async function headerFrom(node: string, height: number): Promise<BlockHeader> {
  const base = node.replace(/\/{1,20}$/, '')
  const read = async (path: string): Promise<string | undefined> => {
    const answer = await ask(`${base}/${path}`, LIMITS).catch(() => {
      throw new Error(`${base} could not be asked.`)
    })
    return answer.status === 200 ? textOf(answer.body).trim() : undefined
  }
  for (const { hash, header } of kinds) {
    const found = await read(hash(height))
    if (found === undefined || !/^[0-9a-f]{64}$/.test(found)) continue
    const hex = await read(header(found))
    const block = hex === undefined ? undefined : parseHeader(hex)
    if (block?.hash !== found) throw new Error(`${base} shows another header than that of block ${found}.`)
    return block
  }
  throw new Error(`${base} shows no Bitcoin block ${height}.`)
}
