import { setTimeout as sleep } from 'node:timers/promises'
import { asc, desc, ne, sql } from 'drizzle-orm'
import { ChainUnreachable } from '#server/chain/port.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import type { Database, Leadership } from '#server/db/client.ts'
import { anchors, ledgers } from '#server/db/schema/ledger.ts'
import { advance, revertReorged } from './advance-anchor.ts'
import { type AnchoringDeps, LedgerFault, RECOVER, secondsSince } from './anchoring.ts'
import { collectAnchor, nextIndex, waitsMoreThanOne } from './collect-anchor.ts'
import { type Ledger, openLedger } from './ledger.ts'
import type { FollowAnchors } from './log/sign-log.ts'

/** Seconds between two polls of a pending anchor, and between a follower's attempts to become the leader. */
const POLL_S = 4
const FIRST_RETRY_S = 1
const MAX_RETRY_S = 60

/** Seconds to wait after `failures` failed passes in a row: 1, 2, 4 … 60. */
export const retryDelayS = (failures: number): number =>
  Math.min(FIRST_RETRY_S * 2 ** Math.max(0, failures - 1), MAX_RETRY_S)

type AnchoringLoop = { stop(): Promise<void> }

/**
 * Anchors every `intervalS` seconds when there are new records, while this process is the leader among those on the
 * same database; the others wait to take over. `stop` waits for the current step.
 * @param follow what comes after each pass that went well; it never holds up anchoring
 */
export function startAnchoring(
  database: Database,
  deps: Omit<AnchoringDeps, 'checkLead'>,
  intervalS: number,
  follow: FollowAnchors = async () => undefined,
): AnchoringLoop {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await database
        .withLeadership(advisoryLocks.anchoring, (leadership) =>
          lead(deps, intervalS, leadership, signal, follow),
        )
        .catch((err: unknown) => deps.log.error({ err }, 'anchoring lost leadership; retrying'))
      await pause(Math.min(POLL_S, intervalS), signal)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function lead(
  world: Omit<AnchoringDeps, 'checkLead'>,
  intervalS: number,
  { lost, check }: Leadership,
  stopping: AbortSignal,
  follow: FollowAnchors,
): Promise<void> {
  const deps: AnchoringDeps = { ...world, checkLead: check }
  const signal = AbortSignal.any([lost, stopping])
  let failures = 0
  let fault: string | null | undefined
  while (!signal.aborted) {
    const result = await poll(deps, intervalS, signal)
    if (result.fault !== fault) await reportFault(deps, result.fault)
    fault = result.fault
    failures = result.ok ? 0 : failures + 1
    if (result.ok && !signal.aborted)
      await follow(deps).catch((err: unknown) => deps.log.warn({ err }, 'the log of anchors waits'))
    await pause(result.ok ? result.waitS : retryDelayS(failures), signal)
  }
}

type PollResult = { ok: true; waitS: number; fault: null } | { ok: false; fault: string | null }

async function poll(deps: AnchoringDeps, intervalS: number, signal: AbortSignal): Promise<PollResult> {
  try {
    const result = await anchorPass(deps, intervalS, signal)
    return { ok: true, waitS: result === 'idle' ? intervalS : Math.min(POLL_S, intervalS), fault: null }
  } catch (error) {
    if (error instanceof LedgerFault) return { ok: false, fault: error.message }
    const message = error instanceof ChainUnreachable ? 'chain unreachable; retrying' : 'anchoring failed'
    deps.log.warn({ err: error }, message)
    return { ok: false, fault: null }
  }
}

/** Logs a fault once and stores it, so that every process and the managers' pages see it. */
async function reportFault({ db, log }: AnchoringDeps, fault: string | null): Promise<void> {
  const changed = await db
    .update(ledgers)
    .set({ fault })
    .where(sql`fault is distinct from ${fault}`)
    .returning()
  if (fault !== null) log.error({ fault }, 'anchoring has stopped until an operator decides')
  else if (changed.length > 0) log.info({}, 'anchoring resumed')
}

const pause = (s: number, signal: AbortSignal): Promise<void> =>
  sleep(s * 1000, undefined, { signal }).catch(() => undefined)

/** `waiting`: a transaction is pending, poll again soon. `idle`: nothing to do until there are new records. */
type PassResult = 'waiting' | 'idle'

/**
 * Does everything that can be done now: opens the ledger, advances every open anchor, and collects the next one when
 * the interval has passed, or at once while more wait than it can take, and no anchor is still waiting for its block. May be interrupted anywhere, also by a kill,
 * and be run again.
 * @throws ChainUnreachable, LedgerFault
 */
export async function anchorPass(
  deps: AnchoringDeps,
  intervalS: number,
  signal: AbortSignal,
): Promise<PassResult> {
  const ledger = await openLedger(deps)
  if (ledger === undefined) return 'waiting'
  await revertReorged(deps, ledger)
  while (!signal.aborted) {
    const open = await moveOpen(deps, ledger, signal)
    const idle = open === 0 ? 'idle' : 'waiting'
    if (open === 'blocked' || signal.aborted) return 'waiting'
    if (!(await isDue(deps, intervalS))) return idle
    if ((await collectAnchor(deps)) === undefined) {
      await refuseUnknownAnchors(deps, ledger)
      return idle
    }
  }
  return 'waiting'
}

/** Throws when the ledger holds anchors that this database does not know: it was restored from an older backup. */
async function refuseUnknownAnchors({ db, chain }: AnchoringDeps, ledger: Ledger): Promise<void> {
  const next = await nextIndex(db)
  const held = await chain.anchorCount(ledger.contract)
  if (held <= next) return
  throw new LedgerFault(
    `The ledger holds ${held} anchors and this database knows of ${next}: something else writes to it, or this database is ` +
      `older than the ledger. Anchoring has stopped. ${RECOVER}`,
  )
}

/** Returns how many anchors await confirmations, or 'blocked' when one is in no block yet: the next must wait for it. */
async function moveOpen(
  deps: AnchoringDeps,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<number | 'blocked'> {
  while (!signal.aborted) {
    const open = await deps.db
      .select()
      .from(anchors)
      .where(ne(anchors.state, 'confirmed'))
      .orderBy(asc(anchors.index))
    let moved = false
    for (const anchor of open) moved = (await advance[anchor.state](deps, ledger, anchor)) || moved
    if (!moved) return open.every(({ state }) => state === 'mined') ? open.length : 'blocked'
  }
  return 'blocked'
}

/** The interval saves fees where little has changed; what fills whole anchors would only wait longer. */
async function isDue(deps: AnchoringDeps, intervalS: number): Promise<boolean> {
  const [newest] = await deps.db.select().from(anchors).orderBy(desc(anchors.index)).limit(1)
  if (newest === undefined || secondsSince(newest.createdAt, deps.now()) >= intervalS) return true
  return waitsMoreThanOne(deps)
}
