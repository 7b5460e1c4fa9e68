import { AsyncLocalStorage } from 'node:async_hooks'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { afterCommit } from '#server/db/after-commit.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { actorId, anonymous, SYSTEM } from '#server/identity/principal.ts'
import { type Lines, lineFile } from './line-file.ts'

/*
 * The security log: sign-ins, refusals, rights, money and what left the shop, one JSON object a line, apart from the log of
 * requests. Off, nothing of it runs. Who did what to which data is the audit log's, in the database (audit-log.ts).
 */

/** What happened. `payment` goes with the state that a payment came to. */
export type SecurityEvent =
  | 'sign-in'
  | 'step-up'
  | 'access'
  | 'rights'
  | 'account'
  | 'key'
  | 'webhook'
  | 'settings'
  | 'payment'
  | 'order'
  | 'export'
  | 'backup'

/** `locked`: refused for a while, after too many tries. */
type Outcome = 'done' | 'refused' | 'locked' | 'failed'

export type SecurityEntry = {
  what: SecurityEvent
  outcome: Outcome
  /** The id of an account or key, or what stands for one; by default that of the request, or the shop itself. */
  who?: string | null
  /** What it was done to: its kind and id. */
  object?: string | null
  /** An error code, names of fields, a state or an amount: never what somebody typed. */
  detail?: string | null
}

let lines: Lines | undefined
const requests = new AsyncLocalStorage<FastifyRequest>()

/**
 * Writes one line, of a transaction after its commit, and none when it is rolled back. Costs nothing while the log is off,
 * never throws, and nobody waits for it.
 */
export function noteSecurity(entry: SecurityEntry): void {
  if (lines === undefined) return
  const line = lineOf(entry, requests.getStore())
  afterCommit(() => lines?.write(line))
}

function lineOf(
  { what, outcome, who, object = null, detail = null }: SecurityEntry,
  request: FastifyRequest | undefined,
): string {
  const actor = who ?? (request === undefined ? SYSTEM : actorId(request.principal ?? anonymous))
  const address = request === undefined ? null : shortened(request.ip)
  const time = new Date().toISOString()
  return JSON.stringify({
    log: 'security',
    time,
    what,
    outcome,
    who: actor,
    object,
    detail,
    address,
    request: request?.id ?? null,
  })
}

/** The network of an address: the first 64 bits of one of IPv6, 24 of one of IPv4. Whose it is alone nobody reads here. */
export function shortened(address: string): string {
  const network = clientNetwork(address)
  const of4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(network)?.[1]
  return of4 === undefined ? network : `${of4}.0/24`
}

const LOST_MS = 60_000

/**
 * Opens the log of this process. What can't be written is lost, and named in the other log, at most once a minute; nothing
 * else stops for it. Returns a function that closes it.
 * @param to `stdout`, or the path of a file; undefined: off
 */
export function openSecurityLog(
  to: string | undefined,
  log: Pick<Logger, 'error' | 'info'>,
): () => Promise<void> {
  if (to === undefined) return async () => undefined
  let toldAt = Number.NEGATIVE_INFINITY
  const opened = to === 'stdout' ? onStdout() : lineFile(to, { lost, found })
  function lost(count: number, err: unknown): void {
    if (performance.now() - toldAt < LOST_MS) return
    toldAt = performance.now()
    log.error({ err, path: to, lost: count }, 'the security log can not be written')
  }
  function found(count: number): string {
    log.info({ path: to, lost: count }, 'the security log is written again')
    return JSON.stringify({ log: 'security', time: new Date().toISOString(), what: 'gap', lost: count })
  }
  lines = opened
  return async () => {
    if (lines === opened) lines = undefined
    await opened.close()
  }
}

const onStdout = (): Lines => ({
  write: (line) => void process.stdout.write(`${line}\n`),
  close: async () => undefined,
})

/** Refusals of rights. That somebody has to sign in first is none. */
const REFUSED = new Set(['auth.forbidden', 'auth.second_factor', 'auth.confirm'])
/** Copies of an account's data. */
const COPIES = new Set(['copyPersonalData', 'copyCustomerData'])

/**
 * Has the log know of which request a line is, and notes what every route shares: refused rights, and files that leave the
 * shop. Call before other hooks; does nothing while the log is off.
 */
export function logSecurityOfRequests(app: FastifyInstance): void {
  if (lines === undefined) return
  app.addHook('onRequest', (request, _reply, done) => requests.run(request, done))
  app.addHook('onError', (request, _reply, error, done) => {
    if (error instanceof ShopError && REFUSED.has(error.code))
      requests.run(request, () =>
        noteSecurity({
          what: error.code === 'auth.confirm' ? 'step-up' : 'access',
          outcome: 'refused',
          object: operationOf(request),
          detail: error.code,
        }),
      )
    done()
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const { route } = request.matched
    const isExport = route?.responses[200] === 'text/csv' || COPIES.has(route?.id ?? '')
    if (isExport && route?.access !== 'public' && statusCode === 200)
      requests.run(request, () =>
        noteSecurity({
          what: 'export',
          outcome: 'done',
          object: operationOf(request),
          detail: listOf(request),
        }),
      )
    done()
  })
}

/** An operation, with the id in its address where there is one. */
function operationOf({ matched, params }: FastifyRequest): string {
  const { id, boxID }: Record<string, unknown> = Object(params)
  const of = [id, boxID].find((one) => typeof one === 'string' && /^[\w-]{1,64}$/.test(one))
  return [matched.route?.id ?? 'unknown', of].filter(Boolean).join(':')
}

/** Which list was asked for, where one was. */
function listOf({ query }: FastifyRequest): string | null {
  const { list }: Record<string, unknown> = Object(query)
  return typeof list === 'string' && /^[a-z]{1,20}$/.test(list) ? list : null
}
