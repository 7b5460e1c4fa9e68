import { setTimeout as sleep } from 'node:timers/promises'
import { disagreement } from '#server/chain/nodes.ts'
import type { Database } from '#server/db/client.ts'
import { type Aside, checksOf, NotReady, type Part, type ReadinessDeps } from './readiness-checks.ts'

/** Time limit of each check. */
const CHECK_TIMEOUT_MS = 2_000
/** How long an answer waits for a part that is only reported: balancers give a probe a second or two. */
const ASIDE_MS = 500
/** How long a process that has started may take to connect: until then, what never was ready is news and no warning. */
const STARTING_MS = 15_000
/** How long a result is cached, so that many probes cost as much as one. */
const CACHE_MS = 1_000

/** 'ok', or a short error. */
export type Readiness = { ok: boolean } & Record<Part | Aside, string>

/** Checks every part, concurrently. */
export type Ready = () => Promise<Readiness>

const made = new WeakMap<Database, Ready>()

/** The one of a process, which probes, metrics and the desk share: a part is checked once a second, and its change said once. */
export function readinessOf(deps: ReadinessDeps): Ready {
  const ready = made.get(deps.database) ?? readiness(deps)
  made.set(deps.database, ready)
  return ready
}

/**
 * @returns a function that returns within about two seconds, whatever hangs, and within half a second where it is not the
 * database: until a part's check ends or times out, its last state is reported
 */
function readiness(deps: ReadinessDeps): Ready {
  const checks = checksOf(deps)
  const names = Object.keys(checks) as (Part | Aside)[]
  const timed = new Map(
    names.map((name) => [name, withTimeout(checks[name], isNeeded(name) ? CHECK_TIMEOUT_MS : ASIDE_MS)]),
  )
  const reported = new Map<string, string>()
  const wereReady = new Set<string>()
  const begun = performance.now()
  const say = (part: string, state: string): void => {
    if (state === 'ok') wereReady.add(part)
    const starts = !wereReady.has(part) && performance.now() - begun < STARTING_MS
    deps.log[state === 'ok' || starts ? 'info' : 'warn']({ part, state }, 'readiness changed')
  }
  const checkAll = async (): Promise<Readiness> => {
    const states = await Promise.all(names.map(async (name) => [name, await timed.get(name)?.()] as const))
    for (const [part, state = ''] of states) {
      if ((reported.get(part) ?? 'ok') !== state) say(part, state)
      reported.set(part, state)
    }
    const parts = Object.fromEntries(states) as Record<Part | Aside, string>
    return { ok: parts.database === 'ok' && parts.migration === 'ok', ...parts }
  }
  let cached: Promise<Readiness> | undefined
  return () => {
    const expire = (): void => {
      cached = undefined
    }
    cached ??= checkAll().finally(() => setTimeout(expire, CACHE_MS).unref())
    return cached
  }
}

const isNeeded = (name: Part | Aside): name is Part => name === 'database' || name === 'migration'

/**
 * Runs a check with a timeout; a check that is still pending is not started again.
 * @param waitMs after which its last state is returned while it may still end in time
 */
function withTimeout(check: () => Promise<unknown>, waitMs: number): () => Promise<string> {
  let pending: Promise<string> | undefined
  let since = 0
  let last = 'being checked'
  const begin = (): Promise<string> => {
    since = performance.now()
    return check()
      .then(() => 'ok', reasonOf)
      .then((state) => {
        pending = undefined
        last = state
        return state
      })
  }
  return async () => {
    pending ??= begin()
    const timer = new AbortController()
    const late = sleep(waitMs, undefined, { signal: timer.signal }).then(() => {
      if (performance.now() - since >= CHECK_TIMEOUT_MS) last = `timeout after ${CHECK_TIMEOUT_MS / 1000} s`
      return last
    })
    try {
      return await Promise.race([pending, late])
    } finally {
      timer.abort()
      late.catch(() => undefined)
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NotReady) return error.message
  const disagree = disagreement(error)
  if (disagree !== undefined) return disagree
  for (let e = error; e instanceof Error; e = e.cause)
    if ('code' in e && /^[A-Z0-9_]{2,30}$/.test(String(e.code))) return `unreachable (${e.code})`
  return 'unreachable'
}
