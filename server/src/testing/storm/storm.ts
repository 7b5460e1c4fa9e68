import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '@befaqt/domain/durations'
import { callBeginning, type Person } from './beginning.ts'
import type { Choice, Model } from './model.ts'
import type { Answer, Method, World } from './world.ts'

/** An invariant that does not hold, by its name. */
export class Violation extends Error {
  readonly invariant: string

  constructor(invariant: string, why: string) {
    super(`${invariant}: ${why}`)
    this.name = 'Violation'
    this.invariant = invariant
  }
}

/** How often an act was taken, and how often it succeeded. */
export type Tally = Record<string, { taken: number; succeeded: number }>

/** Something that somebody does. `run` answers whether the shop did it; what it refuses is no fault. */
export type Act = {
  name: string
  /** Of how many acts it is one. */
  weight?: number
  when?(model: Readonly<Model>): boolean
  run(storm: Storm, model: Model, choice: Choice): Promise<boolean>
}

export type Asking = {
  as?: Person
  key?: string
  payload?: object | string
  headers?: Record<string, string>
  /** Number of the network that a guest comes from. */
  from?: number
  /** Which process. */
  to?: number
  /** Statuses of refusals beside 404 and 409. */
  may?: readonly number[]
}

/** Refusals that may follow from what happened before. */
const REFUSALS = [404, 409]
/** Characters of a refusal in the report. */
const MAX_SAID = 200

/** A shop in a storm, and what is asked of it. */
export class Storm {
  readonly world: World
  readonly tally: Tally = {}
  /** Minute 0 of all readings: far enough back that none of a long storm is in the future. */
  readonly began: number
  steps = 0
  /** The last steps, for the report of a failure. */
  readonly log: string[] = []

  private constructor(world: World) {
    this.world = world
    this.began = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 12 * 24 * HOUR_MS
  }

  /** @param world from its beginning, in which nothing has been sent yet */
  static async begin(world: World): Promise<Storm> {
    const storm = new Storm(world)
    await callBeginning(async (method, url, payload) => {
      const answer = await storm.ask(method, url, { as: 'manager', payload })
      if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.body}`)
    }, new Date(storm.began))
    return storm
  }

  /** Asks the shop. @throws Violation for an answer that no act may get */
  async ask(method: Method, url: string, asking: Asking = {}): Promise<Answer> {
    const { as, key, payload, from = 0, to, may = [] } = asking
    const token = as === undefined ? key : this.world.tokens[as]
    const headers = {
      // Of a proxy: each guest has a network of their own, or the limits of one would stop the storm.
      'x-forwarded-for': `10.1.${from >> 8}.${from & 255}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(typeof payload === 'object' ? { 'content-type': 'application/json' } : {}),
      ...(method === 'POST' && url === '/api/order' ? { 'idempotency-key': randomUUID() } : {}),
      ...asking.headers,
    }
    const request = { method, url, headers, ...(payload === undefined ? {} : { payload }) }
    const answer = await this.world.send(request, to)
    const { statusCode } = answer
    if (statusCode >= 400)
      this.log.push(`  ${method} ${url.replace(/\?.*/, '')}: ${statusCode} ${answer.body.slice(0, MAX_SAID)}`)
    if (statusCode >= 400 && ![...REFUSALS, ...may].includes(statusCode))
      throw new Violation('every request is answered', `${method} ${url}: ${statusCode} ${answer.body}`)
    return answer
  }

  /** As `ask`: did it succeed? */
  async does(method: Method, url: string, asking: Asking = {}): Promise<boolean> {
    return (await this.ask(method, url, asking)).statusCode < 300
  }

  /** The time of a reading. */
  timeOf(minute: number): string {
    return new Date(this.began + minute * 60_000).toISOString()
  }

  count(name: string, succeeded: boolean): void {
    const { taken, succeeded: before } = this.tally[name] ?? { taken: 0, succeeded: 0 }
    this.tally[name] = { taken: taken + 1, succeeded: before + Number(succeeded) }
  }
}
