import type { JsonRpc } from './port.ts'
import { isAnswer } from './rpc-calls.ts'

/** How many have to say the same. */
const ENOUGH = 2
/** Blocks between the newest ones of two nodes that are at the same place of the chain. */
const TOLERANCE = 20
/** How long an agreed newest block is good, so that a question of many calls asks for it once. */
const HEAD_MS = 500
/** How long it is not gone back behind: providers answer from machines of which one is a block behind the other. */
const SEEN_MS = 30_000
/** How long figures of the others are waited for once two are there. */
const GRACE_MS = 1_000

/** Of one node: its place among the addresses of the setting, its host, and what is wrong with it, null when nothing. */
export type NodeState = { readonly place: string; readonly host: string; readonly fault: string | null }

/** Too few of the nodes answer, or no two say the same. Its words are public: they name no address. */
export class NodesDisagree extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NodesDisagree'
  }
}

/** Why nothing was believed, where that is the cause of this error. */
export function disagreement(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) if (e instanceof NodesDisagree) return e.message
  return undefined
}

type Request = Parameters<JsonRpc>[0]
type Node = {
  readonly host: string
  readonly rpc: JsonRpc
  isDown: boolean
  /** Its newest block when it was asked last. */
  head: number
  distance: 'behind' | 'ahead' | null
  /** What it said otherwise than two others when it was asked last. */
  readonly differs: Set<string>
}
type Outcome = { value: unknown } | { error: unknown }

/** An answer as others are compared with it; undefined: none. */
export type Compared = (outcome: Outcome) => string | undefined

/** Several nodes of one chain, by different providers: what at least two of them say is believed. */
export class Nodes {
  readonly #nodes: readonly Node[]
  #head: { block: Promise<number>; at: number } | undefined
  #seen = { block: 0, at: Number.NEGATIVE_INFINITY }
  #turn = 0

  constructor(nodes: readonly { host: string; rpc: JsonRpc }[]) {
    const fresh = { isDown: false, head: Number.POSITIVE_INFINITY, distance: null }
    this.#nodes = nodes.map((node) => ({ ...node, ...fresh, differs: new Set<string>() }))
  }

  states(): NodeState[] {
    return this.#nodes.map((node, i) => ({
      place: `${i + 1} of ${this.#nodes.length}`,
      host: node.host,
      fault: faultOf(node),
    }))
  }

  /** The newest block that two nodes have, within some seconds' work of each other; it never goes back by a little. */
  head(): Promise<number> {
    const now = performance.now()
    if (this.#head === undefined || now - this.#head.at > HEAD_MS) {
      const head = { block: this.#agreeOnHead(), at: now }
      this.#head = head
      head.block.catch(() => {
        if (this.#head === head) this.#head = undefined
      })
    }
    return this.#head.block
  }

  /** The answer that two nodes give alike: as soon as they have. Whoever says otherwise, then or later, is remembered. */
  agree(request: Request, compared: Compared, view = 0): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const votes = new Map<string, Node[]>()
    let believed: string | undefined
    let open = this.#nodes.length
    const mark = (node: Node, key: string): void => {
      if (key === believed) node.differs.delete(request.method)
      else node.differs.add(request.method)
    }
    const take = (node: Node, outcome: Outcome): void => {
      open -= 1
      const lacksBlock = node.head < view
      const key = lacksBlock && 'error' in outcome ? undefined : compared(outcome)
      if (key !== undefined) votes.set(key, [...(votes.get(key) ?? []), node])
      if (!lacksBlock) node.isDown = key === undefined
      if (believed !== undefined) {
        if (key !== undefined) mark(node, key)
      } else if (key !== undefined && votes.get(key)?.length === ENOUGH) {
        believed = key
        for (const [other, from] of votes) for (const each of from) mark(each, other)
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.value)
      } else if (open === 0) reject(this.#tooFew(votes.size, request.method))
    }
    for (const node of this.#nodes) void outcomeOf(node, request).then((outcome) => take(node, outcome))
    return promise
  }

  /**
   * The highest figure that two nodes reach: one alone raises no fee and no nonce. A refusal by two is one.
   * @throws what the nodes refused with
   */
  async backed(request: Request): Promise<string> {
    const figures: bigint[] = []
    const refusals: unknown[] = []
    const { promise: two, resolve } = Promise.withResolvers<void>()
    const asked = this.#nodes.map(async (node) => {
      const outcome = await outcomeOf(node, request)
      const isFigure = 'value' in outcome && /^0x[0-9a-f]+$/i.test(String(outcome.value))
      if (isFigure) figures.push(BigInt(outcome.value as string))
      else if ('error' in outcome && isAnswer(outcome.error)) refusals.push(outcome.error)
      node.isDown = !isFigure && !('error' in outcome && isAnswer(outcome.error))
      if (figures.length >= ENOUGH || refusals.length >= ENOUGH) resolve()
    })
    const all = Promise.all(asked)
    await Promise.race([all, two.then(() => Promise.race([all, after(GRACE_MS)]))])
    const [, second] = figures.toSorted((a, b) => (a < b ? 1 : -1))
    if (second !== undefined) return `0x${second.toString(16)}`
    if (refusals.length >= ENOUGH) throw refusals[0]
    throw this.#tooFew(figures.length + refusals.length, request.method)
  }

  /**
   * Sends to one, and to the next where that does not take it; it begins with another each time, so that one which takes
   * transactions and keeps them to itself holds up the first try alone.
   */
  async send(request: Request, isKnown: (error: unknown) => boolean): Promise<unknown> {
    const first = this.#turn++
    const refusals: unknown[] = []
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[(first + i) % this.#nodes.length] as Node
      const outcome = await outcomeOf(node, request)
      if ('value' in outcome || isKnown(outcome.error)) return 'value' in outcome ? outcome.value : null
      if (isAnswer(outcome.error)) refusals.push(outcome.error)
    }
    if (refusals.length >= ENOUGH) throw refusals[0]
    throw this.#tooFew(refusals.length, request.method)
  }

  #agreeOnHead(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const heads: number[] = []
    let agreed: number | undefined
    let open = this.#nodes.length
    const take = (node: Node, outcome: Outcome): void => {
      open -= 1
      const head = 'value' in outcome ? Number(outcome.value) : Number.NaN
      node.isDown = !Number.isSafeInteger(head)
      if (!node.isDown) {
        node.head = head
        heads.push(head)
      }
      const before = agreed
      agreed ??= pairOf(heads)
      if (agreed !== undefined) for (const each of this.#nodes) each.distance = distanceOf(each, agreed)
      if (before === undefined && agreed !== undefined) resolve(this.#notBack(agreed))
      else if (agreed === undefined && open === 0) reject(this.#tooFew(heads.length, 'the newest block'))
    }
    const request = { method: 'eth_blockNumber', params: [] }
    for (const node of this.#nodes) void outcomeOf(node, request).then((outcome) => take(node, outcome))
    return promise
  }

  #notBack(agreed: number): number {
    const now = performance.now()
    if (agreed < this.#seen.block && now - this.#seen.at < SEEN_MS) return this.#seen.block
    this.#seen = { block: agreed, at: now }
    return agreed
  }

  #tooFew(answers: number, what: string): NodesDisagree {
    const all = this.#nodes.length
    return answers < ENOUGH && this.#nodes.filter(({ isDown }) => !isDown).length < ENOUGH
      ? new NodesDisagree(`fewer than two of ${all} nodes answer`)
      : new NodesDisagree(`no two of ${all} nodes agree (${what})`)
  }
}

/** Of the newest pair within the tolerance, the block that both have. */
function pairOf(heads: readonly number[]): number | undefined {
  const sorted = heads.toSorted((a, b) => b - a)
  return sorted.find((head, i) => i > 0 && (sorted[i - 1] ?? 0) - head <= TOLERANCE)
}

function distanceOf({ head }: Node, agreed: number): Node['distance'] {
  if (!Number.isFinite(head) || Math.abs(head - agreed) <= TOLERANCE) return null
  return head < agreed ? 'behind' : 'ahead'
}

function faultOf({ isDown, distance, differs }: Node): string | null {
  if (isDown) return 'does not answer'
  if (distance !== null) return `is ${distance} ${distance === 'behind' ? '' : 'of '}the others`
  return differs.size > 0 ? `says otherwise than two others (${[...differs].sort().join(', ')})` : null
}

const outcomeOf = (node: Node, request: Request): Promise<Outcome> =>
  node.rpc(request).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
