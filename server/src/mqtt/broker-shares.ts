import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import type { Database } from '#server/db/client.ts'
import type { BrokerState } from '#server/ingestion/index.ts'

/**
 * Shares of an outside broker's readings, by box, each with a session of its own at the broker that never ends: what waits
 * in one goes to whichever process holds the share. The broker sends each reading to every one, so they are few; six are
 * even among 1, 2, 3 and 6 processes. Fewer in a later version would leave readings in sessions that nobody holds.
 */
export const SHARES = 6
/** Processes that take shares; further ones wait. */
const MAX_MEMBERS = 64
/** How often a process looks how many there are. */
const LOOK_MS = 2_000
const RETRY_MS = 4_000

/** The shares of one of these processes, whose numbers are in order. */
export function sharesOf(member: number, members: readonly number[]): number[] {
  const place = members.indexOf(member)
  return Array.from({ length: SHARES }, (_, share) => share).filter(
    (share) => place >= 0 && share % members.length === place,
  )
}

/**
 * The share of a box, by FNV-1a: the same in every process and version, so that a box's readings always meet the same one.
 * Source: Fowler, Noll, Vo; 32 bits.
 */
export function shareOf(boxID: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < boxID.length; i++) hash = Math.imul(hash ^ boxID.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % SHARES
}

const lockOf = (share: number): number =>
  share === 0 ? advisoryLocks.broker : advisoryLocks.brokerShares + share

/** What the shares of one process know and say together. */
export type ShareLine = {
  /** How readings are taken, once the broker has shown it. */
  way(): BrokerState['way']
  /** @param why the broker can't divide readings */
  found(way: 'shared' | 'alone', why?: string): void
  /** Lets all processes know that a share's session is subscribed, until it is given up. */
  subscribed(share: number, ended: AbortSignal): void
  /** Are the sessions of all shares but the first subscribed, in whichever process? */
  othersSubscribed(): Promise<boolean>
  connected(share: number): void
  /** @param reason undefined: given up, as another process takes it */
  disconnected(share: number, reason?: string): void
}

/** Takes the readings of a share until it is aborted, or it has found that they can't be divided. */
type HoldShare = (share: number, line: ShareLine, ended: AbortSignal) => Promise<void>

type SharesDeps = { database: Database; log: Logger; state: BrokerState; broker: string }

/**
 * Divides the shares among all processes that do this, until `ended`: each counts the others by their locks, and holds a
 * share under a lock, so that no two have its session. Where nothing can be divided, one process has all in the first share.
 */
export async function takeShares(deps: SharesDeps, hold: HoldShare, ended: AbortSignal): Promise<void> {
  const { database, log } = deps
  const changed = new EventTarget()
  const line = newLine(deps, () => changed.dispatchEvent(new Event('way')))
  const join = async (): Promise<void> => {
    for (let member = 0; member < MAX_MEMBERS; member++) {
      const joined = await database.withLeadership(advisoryLocks.brokerMembers + member, ({ lost }) =>
        beMember(deps, member, { hold, line, changed }, AbortSignal.any([lost, ended])),
      )
      if (joined) return
    }
  }
  while (!ended.aborted) {
    await join().catch((err: unknown) => log.error({ err }, 'MQTT ingestion interrupted; retrying'))
    await sleep(RETRY_MS, undefined, { signal: ended }).catch(() => undefined)
  }
}

type Holding = { hold: HoldShare; line: ReturnType<typeof newLine>; changed: EventTarget }

/** Holds the shares of a member, which change with how many there are. */
async function beMember(
  { database, log }: SharesDeps,
  member: number,
  { hold, line, changed }: Holding,
  ended: AbortSignal,
): Promise<void> {
  const held = new Map<number, { stop: AbortController; done: Promise<void> }>()
  const take = (share: number): void => {
    const stop = new AbortController()
    const done = database
      .withLeadership(lockOf(share), ({ lost }) =>
        hold(share, line, AbortSignal.any([lost, stop.signal, ended])),
      )
      .catch((err: unknown) => log.error({ err, share }, 'MQTT ingestion interrupted; retrying'))
      .then(() => void held.delete(share))
    held.set(share, { stop, done })
  }
  while (!ended.aborted) {
    const members = await database.led(advisoryLocks.brokerMembers, MAX_MEMBERS).catch(() => undefined)
    if (members !== undefined) {
      const shares = line.wanted(sharesOf(member, members))
      for (const [share, { stop }] of held) if (!shares.includes(share)) stop.abort()
      for (const share of shares) if (!held.has(share)) take(share)
    }
    const look = new AbortController()
    changed.addEventListener('way', () => look.abort(), { once: true, signal: look.signal })
    await sleep(LOOK_MS, undefined, { signal: AbortSignal.any([ended, look.signal]) }).catch(() => undefined)
    look.abort()
  }
  await Promise.all([...held.values()].map(({ done }) => done))
  line.wanted([])
}

/** What shares find is seen in metrics and probes, and said once in the log. */
function newLine(deps: SharesDeps, onWay: () => void) {
  const { database, log, state, broker } = deps
  const up = new Set<number>()
  let said: 'there' | 'gone' | undefined
  const update = (): void => {
    state.shares.up = up.size
    state.up = state.shares.of > 0 && up.size === state.shares.of
    if (!state.up || said === 'there') return
    said = 'there'
    log.info({ broker, way: state.way }, 'subscribed to readings at the MQTT broker')
  }
  return {
    /** Of these shares, those that this process may take by what is known: one until the way is. */
    wanted(shares: readonly number[]): number[] {
      const may = { shared: shares, alone: shares.filter((share) => share === 0) }
      const wanted = state.way === null ? shares.slice(0, 1) : may[state.way]
      state.shares.of = wanted.length
      update()
      return [...wanted]
    },
    way: () => state.way,
    found(way: 'shared' | 'alone', why?: string) {
      if (state.way === way) return
      state.way = way
      if (way === 'alone')
        log.warn(
          { broker, reason: why },
          'readings of the MQTT broker cannot be divided: one process takes all, the others wait to take over',
        )
      onWay()
    },
    subscribed(share: number, ended: AbortSignal) {
      void holdUntil(ended, advisoryLocks.brokerSubscribed + share, deps)
    },
    othersSubscribed: async () =>
      (await database.led(advisoryLocks.brokerSubscribed + 1, SHARES - 1)).length === SHARES - 1,
    connected(share: number) {
      up.add(share)
      update()
    },
    disconnected(share: number, reason?: string) {
      up.delete(share)
      update()
      if (reason === undefined || said === 'gone') return
      said = 'gone'
      log.warn({ broker, reason }, 'MQTT broker disconnected; reconnecting')
    },
  } satisfies ShareLine & { wanted: unknown }
}

/** Holds a lock until `ended`, also one that whoever had the share before has not let go yet, or that was lost. Never rejects. */
async function holdUntil(ended: AbortSignal, key: number, { database, log }: SharesDeps): Promise<void> {
  while (!ended.aborted) {
    await database
      .withLeadership(key, ({ lost }) => aborted(AbortSignal.any([lost, ended])))
      .catch((err: unknown) =>
        log.warn({ err }, 'other processes do not know of an MQTT session; trying again'),
      )
    if (!ended.aborted) await sleep(RETRY_MS, undefined, { signal: ended }).catch(() => undefined)
  }
}

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
