import type { BundleAnchor, ProofBundle } from './bundle.ts'
import type { BundleLog, LoggedCounts } from './bundle-log.ts'
import { FormatError } from './format-error.ts'
import { anchorEntry } from './leaf.ts'
import { byTransaction, type LedgerAnchor, LedgerError, type LedgerReader } from './ledger.ts'
import { type Checkpoint, digest, parseCheckpoint } from './log/checkpoint.ts'
import { parseNote } from './log/note.ts'
import { keysOf, type Policy, type Witnessed, witnessed } from './log/policy.ts'
import { type OpenedCheckpoint, openCheckpoint } from './log/signed-checkpoint.ts'
import { leafHash, verifyInclusion } from './log/tree.ts'
import { reasonMessages } from './messages.ts'
import type { LedgerFinding } from './read-ledger.ts'
import { blockTimeSeconds } from './validate.ts'
import type { LogReason, LogResult, Reason } from './verdict.ts'

/*
 * The log of anchors in a bundle: does it hold each anchor as the bundle shows it, and who signed it? The log is a ledger
 * of its own, so what is proven by it is checked by the same code as what a chain says. Source: witness.md, protocol §6.7.
 */

/** Whom one believes, and when it is. */
export interface LogTerms {
  /** Undefined: nobody named one. Never the shop's own. */
  readonly policy: Policy | undefined
  /** Seconds since 1970. */
  readonly nowS: number
  /** The ledger that was read is the newest there is, and no copy. */
  readonly isLive: boolean
}

/** What witnesses signed longer ago does not tell whether newer records were left out. */
const FRESH_S = 86_400
/** A witness's clock may be that much ahead; what is dated later than that counts for nothing. */
const AHEAD_S = 300
/** So many wrong anchors tell enough. */
const MAX_REASONS = 10

/** What a log says before the box is looked at: `state` is `witnessed` where all is well so far. */
export interface LogFinding {
  readonly checkpoint: Checkpoint
  readonly reasons: readonly Reason[]
  readonly result: LogResult
}

/** Checks the log of a bundle by itself, and against what the ledger holds. */
export async function checkLog(
  bundle: ProofBundle,
  log: BundleLog,
  terms: LogTerms,
  ledger: LedgerFinding,
): Promise<LogFinding> {
  const checkpoint = parseCheckpoint(parseNote(log.checkpoint).text)
  const entries = [...mentionsIn(bundle, log, checkpoint.size)]
  const wrong = entries.filter((entry) => !isIncluded(entry, log, checkpoint))
  const otherwise = entries.filter((entry) => !fitsLedger(entry, ledger, terms.isLive))
  const reasons = [...reasonsOf('log_mismatch', wrong), ...reasonsOf('log_conflict', otherwise)]
  const none = { origin: checkpoint.origin, k: 0, n: 0, by: [], upTo: 0, time: null }
  const opened = await openedUnder(terms.policy, log, checkpoint)
  if (opened instanceof FormatError) {
    const words = reasonMessages.log_refused('')
    reasons.unshift({ code: 'log_refused', words, detail: `$.log.checkpoint${opened.message.slice(1)}` })
  }
  if (reasons.length > 0) return { checkpoint, reasons, result: { ...none, state: 'broken' } }
  if (opened === undefined || opened instanceof FormatError || terms.policy === undefined) {
    const state = terms.policy === undefined ? 'no_policy' : 'other_log'
    return { checkpoint, reasons, result: { ...none, state } }
  }
  return { checkpoint, reasons, result: { ...none, ...stateOf(opened, terms.policy, terms.nowS, bundle) } }
}

/** A signed note, opened with the keys of a policy. Undefined: it names no log of this origin, or there is none. */
export async function openedUnder(
  policy: Policy | undefined,
  { checkpoint: note }: Pick<BundleLog, 'checkpoint'>,
  { origin }: Checkpoint,
): Promise<OpenedCheckpoint | FormatError | undefined> {
  if (policy === undefined || !policy.logs.some(({ key }) => key.name === origin)) return undefined
  const { logs, cosigners } = keysOf(policy)
  try {
    return await openCheckpoint(note, logs, cosigners)
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
}

/** Whether enough have signed, and lately. What is dated ahead counts for nothing, since nobody can tell how old it is. */
export function stateOf(
  opened: OpenedCheckpoint,
  policy: Policy,
  nowS: number,
  bundle: AnchorsOfBox,
): Pick<LogResult, 'state' | 'k' | 'n' | 'by'> {
  const since = (oldestS: number): Witnessed => {
    const cosignatures = opened.cosignatures.filter(
      ({ timeS }) => timeS >= oldestS && timeS <= nowS + AHEAD_S,
    )
    return witnessed({ ...opened, cosignatures }, policy)
  }
  const ever = since(Number.NEGATIVE_INFINITY)
  const isFresh =
    isSealedBy(bundle, opened.checkpoint.size) ||
    (since(nowS - FRESH_S).quorum === 'reached' && !lacksOld(bundle, opened.checkpoint.size, nowS))
  const state = ever.quorum !== 'reached' ? 'missed' : isFresh ? 'witnessed' : 'stale'
  const by = ever.by.map(({ name, timeS }) => ({ name, ageS: Math.max(0, nowS - timeS) }))
  return { state, k: ever.k, n: ever.n, by }
}

/** When a box had come how far. */
type AnchorsOfBox = { readonly anchors: readonly Pick<BundleAnchor, 'index' | 'leaf' | 'time'>[] }

/** Nothing can follow in a box that was sealed in a state that they signed. */
const isSealedBy = ({ anchors }: AnchorsOfBox, size: number): boolean =>
  anchors.some(({ index, leaf }) => index < size && leaf.sealed)

/** Is there an anchor of this box that they should have signed by now? */
const lacksOld = ({ anchors }: AnchorsOfBox, size: number, nowS: number): boolean =>
  anchors.some(({ index, time }) => index >= size && (blockTimeSeconds(time) ?? 0) < nowS - FRESH_S)

/** An anchor as the bundle shows it at some place, which the checkpoint covers. */
interface Mention extends LedgerAnchor {
  readonly index: number
}

type Shown = { readonly root: string; readonly time?: string } & Partial<LoggedCounts>

const mention = (index: number, { root, time = '', boxes = 0, records = 0 }: Shown): Mention => ({
  index,
  root,
  time: blockTimeSeconds(time) ?? 0,
  boxes,
  records,
})

/** Every place of the bundle that shows an anchor; several may show one. */
function* mentionsIn(
  { anchors, devices = [] }: ProofBundle,
  { state }: BundleLog,
  size: number,
): Generator<Mention> {
  const all: readonly BundleAnchor[] = [...anchors, ...devices.flatMap((device) => device.anchors)]
  for (const anchor of all) {
    const { index, before } = anchor
    if (before !== null && index > 0 && index - 1 < size) yield mention(index - 1, before)
    if (index < size) yield mention(index, anchor)
  }
  if (state !== undefined) yield mention(state.index, state)
}

function isIncluded(entry: Mention, { inclusion }: BundleLog, { size, root }: Checkpoint): boolean {
  const path = (inclusion[entry.index] ?? []).map((hash) => digest(hash, '$'))
  return verifyInclusion(leafHash(anchorEntry(entry)), entry.index, size, path, root)
}

/** A ledger that was read holds the same, or was not asked for this one. */
function fitsLedger({ index, ...entry }: Mention, ledger: LedgerFinding, isLive: boolean): boolean {
  if (ledger.kind !== 'read') return true
  const held = ledger.kept.get(index)
  if (held === undefined) return !isLive || index < ledger.count
  const { root, time, boxes, records } = held
  return root === entry.root && time === entry.time && boxes === entry.boxes && records === entry.records
}

function reasonsOf(code: LogReason, entries: readonly Mention[]): Reason[] {
  const indexes = [...new Set(entries.map(({ index }) => index))].slice(0, MAX_REASONS)
  return indexes.map((anchor) => ({ code, words: reasonMessages[code](`anchor ${anchor}`), anchor }))
}

/** The bundle as it was when the log had its checkpoint's size: later anchors away, the state then as its newest. */
export function asOf(bundle: ProofBundle, size: number): ProofBundle {
  const { log, devices, ...rest } = bundle
  const until = <T extends { anchors: readonly BundleAnchor[] }>(of: T): T => ({
    ...of,
    anchors: of.anchors.filter(({ index }) => index < size),
  })
  const then = until(rest)
  const state = log?.state
  const anchors =
    state === undefined ? then.anchors : [...then.anchors, { ...state, ...NO_TRANSACTION, before: null }]
  return { ...then, anchors, ...(devices !== undefined && { devices: devices.map(until) }) }
}

const NO_TRANSACTION = { txHash: `0x${'0'.repeat(64)}`, blockNumber: 0 }

/**
 * The log as a ledger, for `asOf`: what it holds was proven. It says nothing of transactions and blocks, so there the
 * bundle's own word stands.
 */
export function ledgerOfLog(bundle: ProofBundle, log: BundleLog, size: number): LedgerReader {
  const held = new Map<number, LedgerAnchor>()
  for (const { index, ...anchor } of mentionsIn(bundle, log, size)) held.set(index, anchor)
  const told = [bundle, ...(bundle.devices ?? [])].flatMap(({ anchors }) => anchors)
  const made = byTransaction(told)
  const { chainId, contract } = bundle.ledger
  return {
    live: true,
    identity: async () => ({ chainId, contract }),
    count: async () => size,
    anchorsOf: async (indexes) =>
      indexes.map((index) => {
        const anchor = held.get(index)
        if (anchor === undefined) throw new LedgerError(`the proof has no entry ${index} of the log`)
        return anchor
      }),
    eventsOf: async (hashes) =>
      hashes.map((hash) =>
        (made.get(hash) ?? []).map(({ index, root, time, blockNumber, boxes = 0, records = 0 }) => {
          const blockTime = blockTimeSeconds(time) ?? 0
          return { index, root, boxes, records, blockNumber, blockTime }
        }),
      ),
  }
}
