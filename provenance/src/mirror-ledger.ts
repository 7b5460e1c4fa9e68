import type { AbsenceBundle, ProofBundle } from './bundle.ts'
import type { AnchorFacts } from './bundle-parts.ts'
import { FormatError } from './format-error.ts'
import { parseAnchorEntry } from './leaf.ts'
import { type AnchorEvent, byTransaction, LedgerError, type LedgerReader } from './ledger.ts'
import { mirrorPath } from './log/add-checkpoint.ts'
import { parseCheckpoint } from './log/checkpoint.ts'
import { parseNote, type VerifierKey } from './log/note.ts'
import { keysOf, type Policy, witnessed } from './log/policy.ts'
import { readLog } from './log/read-log.ts'
import { openCheckpoint } from './log/signed-checkpoint.ts'
import { readEntries } from './log/tiles.ts'
import { blockTimeSeconds, blockTimeText } from './validate.ts'

/*
 * The copy of a shop's log that a mirror keeps, as a ledger: with it a box is checked when shop, log and node are gone.
 * Nothing of it is believed that the log's key has not signed, and a mirror of the policy beside it. Source: C2SP tlog-mirror.
 */

/** Anchors that are read at most: one a minute for more than fifteen years. */
const MAX_ANCHORS = 8_388_608
/** What was signed longer ago does not tell whether newer records were left out; as in a proof's own log. */
const FRESH_S = 86_400
const AHEAD_S = 300

/** A ledger from a mirror, and what it is worth. */
export interface MirroredLedger {
  readonly reader: LedgerReader
  /** Where it was read, and who has signed it when, for people. */
  readonly source: string
  /** Those who signed it lately are as many as the policy asks for. */
  readonly isEnough: boolean
}

/**
 * Reads all anchors from the copy that a mirror has of a proof's log. Of transactions the log says nothing: there the proof's own
 * word stands. @param url address of the mirror @param nowS seconds since 1970
 * @throws Error where it can't be read, is of another log, or is signed by no mirror of the policy
 */
export async function mirrorLedger(
  proof: ProofBundle | AbsenceBundle,
  policy: Policy,
  url: string,
  nowS: number,
): Promise<MirroredLedger> {
  const log = logOf(proof, policy)
  const address = url.replace(/\/{1,20}$/, '') + mirrorPath(log.name)
  const shown = await readLog(log, address, new AbortController().signal).catch((cause: Error) => {
    throw new Error(`The copy at ${url} could not be read: ${cause.message}`, { cause })
  })
  if (shown === undefined) throw new Error(`${url} has no copy of the log ${log.name}.`)
  const opened = await openCheckpoint(shown.note, [log], keysOf(policy).cosigners)
  if (opened.cosignatures.length === 0)
    throw new Error(`The copy at ${url} is signed by nobody whom the policy names.`)
  const { checkpoint } = opened
  const anchors = (await readEntries(checkpoint, shown, MAX_ANCHORS)).map((entry, i) => {
    const anchor = parseAnchorEntry(entry)
    if (anchor.index !== i) throw new FormatError(`$[${i}].index`, 'is not its place in the log')
    return anchor
  })
  const isFresh = ({ timeS }: { timeS: number }) => timeS >= nowS - FRESH_S && timeS <= nowS + AHEAD_S
  const fresh = { ...opened, cosignatures: opened.cosignatures.filter(isFresh) }
  const by = [...new Set(opened.cosignatures.map(({ key }) => key.name))].join(', ')
  const at = Math.max(...opened.cosignatures.map(({ timeS }) => timeS))
  const { chainId, contract } = proof.ledger
  const told = byTransaction<AnchorFacts>(anchorsIn(proof))
  return {
    source: `the copy of ${log.name} at ${url}, ${checkpoint.size} anchors, signed by ${by} at ${blockTimeText(at)}`,
    isEnough: witnessed(fresh, policy).quorum === 'reached',
    reader: {
      live: false,
      identity: async () => ({ chainId, contract }),
      count: async () => checkpoint.size,
      anchorsOf: async (indexes) =>
        indexes.map((index) => {
          const anchor = anchors[index]
          if (anchor === undefined) throw new LedgerError(`the copy ends before anchor ${index}`)
          return anchor
        }),
      eventsOf: async (hashes) => hashes.map((hash) => (told.get(hash) ?? []).map(eventOf)),
    },
  }
}

/** What a proof says of a transaction, as an event of it. */
const eventOf = ({ index, root, blockNumber, time }: AnchorFacts): AnchorEvent => ({
  index,
  root,
  blockNumber,
  blockTime: blockTimeSeconds(time) ?? 0,
  boxes: 0,
  records: 0,
})

const anchorsIn = (proof: ProofBundle | AbsenceBundle) =>
  'anchor' in proof ? [proof.anchor] : [proof, ...(proof.devices ?? [])].flatMap(({ anchors }) => anchors)

/** The key of a proof's log, which the policy knows; of a proof without one, the only one that it names. */
function logOf(proof: ProofBundle | AbsenceBundle, { logs }: Policy): VerifierKey {
  const note = 'log' in proof ? proof.log?.checkpoint : undefined
  const origin = note === undefined ? undefined : parseCheckpoint(parseNote(note).text).origin
  const known = logs.filter(({ key }) => origin === undefined || key.name === origin)
  const [first] = known
  if (first === undefined || known.length > 1)
    throw new Error(`The policy names ${known.length} logs that this proof could be of, and must name one.`)
  return first.key
}
