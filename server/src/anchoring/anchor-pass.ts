import { asc, desc, ne } from 'drizzle-orm'
import { anchors } from '#server/db/schema/ledger.ts'
import { type AnchoringDeps, secondsSince } from './anchoring-deps.ts'
import { collectAnchor, nextIndex } from './collect-anchor.ts'
import { advance, revertReorged } from './confirm-anchor.ts'
import { type Ledger, openLedger } from './deploy-ledger.ts'
import { LedgerFault, RECOVER } from './ledger-fault.ts'

/** `waiting`: a transaction is pending, poll again soon. `idle`: nothing to do until there are new records. */
export type PassResult = 'waiting' | 'idle'

/**
 * Does everything that can be done now: opens the ledger, advances every open anchor, and collects the next one when
 * the interval has passed and no anchor is still waiting for its block. May be interrupted anywhere, also by a kill,
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

async function isDue({ db, now }: AnchoringDeps, intervalS: number): Promise<boolean> {
  const [newest] = await db.select().from(anchors).orderBy(desc(anchors.index)).limit(1)
  return newest === undefined || secondsSince(newest.createdAt, now()) >= intervalS
}
