import type { PGlite, Transaction } from '@electric-sql/pglite'
import type pg from 'pg'
import { beginPart } from '#server/tracing/trace.ts'
import type { SlowStatements } from './slow-statements.ts'

/** Called with each statement as it begins; what it returns, when it ended. */
export type StatementWatch = (text: string) => ((error?: unknown) => void) | undefined

/** Characters of a statement that are kept. */
const LONGEST = 4_000
/** What a statement does, and to what at first. Both end after a word. */
const VERB = /^\s{0,20}([a-z]{1,20})/i
const OBJECT = /\b(?:from|into|update)\s"?([a-z_]{1,63})/i
/** Of transactions and sessions: how long they take says nothing. */
const PLAIN = new Set([
  'begin',
  'rollback',
  'savepoint',
  'release',
  'set',
  'prepare',
  'deallocate',
  'explain',
])
/** Carries the trace into the transaction (trace-context.ts). */
const OWN = 'select set_config('

/** The first word of a statement, in lower case; '' for what is no statement of data. */
export const verbOf = (text: string): string => VERB.exec(text)?.[1]?.toLowerCase() ?? ''

/**
 * A statement, or its plan, as it may leave the process: values are bound and not in it, and what stands in quotes, where our
 * code wrote a constant, is taken out all the same.
 */
export const withoutLiterals = (text: string): string => text.slice(0, LONGEST).replace(/'[^']*'/g, "'?'")

/**
 * What watches the statements of this process: for traces, whose span they become where one is recorded, and for slow ones.
 * Undefined: nothing does.
 */
export function watchStatements(
  isTraced: boolean,
  slow: SlowStatements | undefined,
): StatementWatch | undefined {
  if (!isTraced && slow === undefined) return undefined
  return (text) => {
    const verb = verbOf(text)
    if (PLAIN.has(verb) || text.startsWith(OWN)) return undefined
    const span = isTraced ? beginPart(nameOf(verb, text), { kind: 'client' }) : undefined
    span?.set({
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      'db.query.text': withoutLiterals(text),
    })
    if (span === undefined && slow === undefined) return undefined
    const began = performance.now()
    return (error) => {
      if (error !== undefined) span?.fail(error)
      span?.end()
      slow?.note(text, performance.now() - began, error)
    }
  }
}

const nameOf = (verb: string, text: string): string =>
  [verb, OBJECT.exec(text)?.[1]].filter(Boolean).join(' ')

type Callback = (error: Error | null, result: unknown) => void

/** Clients whose statements are watched. */
export function watchedClient(Client: typeof pg.Client, watch: StatementWatch | undefined): typeof pg.Client {
  if (watch === undefined) return Client
  const { query } = Client.prototype
  class Watched extends Client {}
  Watched.prototype.query = function (this: pg.Client, ...asked: unknown[]): unknown {
    const call = (...args: unknown[]): unknown => Reflect.apply(query, this, args)
    const text = textOf(asked[0])
    const ended = text === undefined ? undefined : watch(text)
    if (ended === undefined) return call(...asked)
    const then = asked.at(-1)
    if (typeof then !== 'function') return watched(call(...asked) as Promise<unknown>, ended)
    const callback: Callback = (error, result) => {
      ended(error ?? undefined)
      then(error, result)
    }
    return call(...asked.slice(0, -1), callback)
  } as pg.Client['query']
  return Watched
}

/** The text of what a client is asked; undefined: it is a stream or a cursor. */
function textOf(asked: unknown): string | undefined {
  if (typeof asked === 'string') return asked
  const { text, submit }: { text?: string; submit?: unknown } = Object(asked)
  return submit === undefined ? text : undefined
}

/**
 * An embedded database whose statements are watched. Outside of a transaction their time is also that of waiting for others.
 */
export function watchedEmbedded(lite: PGlite, watch: StatementWatch | undefined): PGlite {
  if (watch === undefined) return lite
  const query = (of: PGlite | Transaction): PGlite['query'] => {
    const run: PGlite['query'] = (text, ...more) => of.query(text, ...more)
    return (text, ...more) => {
      const ended = watch(text)
      return ended === undefined ? run(text, ...more) : watched(run(text, ...more), ended)
    }
  }
  const transaction: PGlite['transaction'] = (work) =>
    lite.transaction((tx) => work(replaced(tx, { query: query(tx) })))
  return replaced(lite, { query: query(lite), transaction })
}

/**
 * An embedded database that reads the types that Drizzle reads in its own way, as texts, by itself. Drizzle names them again
 * with each query, and the engine copies its table of 318 readers for it, which takes as long as a short query does.
 */
export function readingAsDrizzle(lite: PGlite): PGlite {
  let reads = false
  const query = (of: PGlite | Transaction): PGlite['query'] => {
    return (text, values, options) => {
      const { parsers, ...others } = options ?? {}
      if (!reads && parsers !== undefined) {
        Object.assign(lite.parsers, parsers) // the same with every query
        reads = true
      }
      return of.query(text, values, others)
    }
  }
  const transaction: PGlite['transaction'] = (work) =>
    lite.transaction((tx) => work(replaced(tx, { query: query(tx) })))
  return replaced(lite, { query: query(lite), transaction })
}

/** An object with some of its methods replaced, itself unchanged. */
const replaced = <Whole extends object>(whole: Whole, by: Partial<Whole>): Whole =>
  new Proxy(whole, {
    get: (of, name) => {
      if (Object.hasOwn(by, name)) return Reflect.get(by, name)
      const value: unknown = Reflect.get(of, name)
      return typeof value === 'function' && name !== 'constructor' ? value.bind(of) : value
    },
  })

async function watched<Made>(run: Promise<Made>, ended: (error?: unknown) => void): Promise<Made> {
  try {
    const made = await run
    ended()
    return made
  } catch (error) {
    ended(error)
    throw error
  }
}
