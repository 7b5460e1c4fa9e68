import { momentText } from '@befaqt/domain/moment-text'
import type { BundleAnchor, ProofBundle } from '@befaqt/provenance/bundle'
import { sameDigest } from '@befaqt/provenance/digest'
import { type Checkpoint, parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote } from '@befaqt/provenance/log/note'
import { type GetPath, logTiles, provenRoot } from '@befaqt/provenance/log/tiles'
import type { BoxResult } from '@befaqt/provenance/verdict'
import type { VerdictLine } from './check-state.ts'
import { forgetNote, keepNote, type SeenNote } from './kept-log.ts'
import { logAt } from './shop-log.ts'

/*
 * The log of a proof beside what this browser saw of the shop's log before, on the page of whatever box. Fetched by whoever
 * saw it before. Source: witness.md, Receipts; protocol §6.
 */

/**
 * A proof, what was found of it, and how many anchors the ledger said to have: the fewest, since one that lies may say more to
 * whoever asks last.
 */
type Checked = {
  bundle: ProofBundle
  result: Pick<BoxResult, 'verdict' | 'records'>
  anchors: number
}

/**
 * What is wrong; undefined: nothing, and a newer state is kept. Whatever the log is called and whoever signed it: leaf i of
 * each log of a shop is anchor i, so one that was begun anew has the same root over the same anchors. Never rejects.
 * @param get how the files of a log are read
 */
export async function besideSeen(
  seen: SeenNote,
  { bundle, result, anchors }: Checked,
  { timeZone }: { timeZone: string },
  get: (origin: string) => GetPath = logAt,
): Promise<VerdictLine | undefined> {
  if (result.verdict === 'broken' || result.records.length === 0) return undefined
  const then = stateIn(seen.note)
  if (then === undefined) {
    await forgetNote() // what is none says nothing
    return undefined
  }
  const isProven = result.verdict === 'verified' || result.verdict === 'verified-up-to'
  const saw = `On ${momentText(seen.at, timeZone)} this browser saw the shop’s log with ${entries(then.size)}.`
  const now = bundle.log && stateIn(bundle.log.checkpoint)
  if (bundle.log === undefined || now === undefined)
    return isProven ? warn('The log is not shown', `${saw} This proof comes without it.`) : undefined
  const isOlder = now.size < then.size
  const relation = await (isOlder ? compare(now, then, get(now.origin)) : compare(then, now, get(now.origin)))
  if (relation === 'differs')
    return {
      tone: 'bad',
      title: 'Another log',
      message: `${saw} The log of this proof, with ${entries(now.size)}, contradicts it: what the shop had anchored was changed or taken away.`,
    }
  if (!isProven) return undefined
  if (isOlder && anchors < then.size)
    return warn(
      'Older than what this browser saw',
      `${saw} This proof and its ledger are of an older state, of ${entries(now.size)}: what came since is kept from you, or was lost.`,
    )
  if (relation === 'not_shown')
    return warn(
      'Not compared with what this browser saw',
      `${saw} The shop did not show how the log of this proof, with ${entries(now.size)}, follows from it.`,
    )
  if (!isOlder) await keepNote(bundle.log.checkpoint, now.size)
  return undefined
}

const warn = (title: string, message: string): VerdictLine => ({ tone: 'warn', title, message })

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`)

function stateIn(note: string): Checkpoint | undefined {
  try {
    return parseCheckpoint(parseNote(note).text)
  } catch {
    return undefined
  }
}

/** Does the larger state hold all of the smaller one? `not_shown`: nothing was shown that gives the larger one. */
async function compare(
  { size, root }: Checkpoint,
  larger: Checkpoint,
  get: GetPath,
): Promise<'continues' | 'differs' | 'not_shown'> {
  try {
    const held =
      size === larger.size ? larger.root : await provenRoot(size, larger, logTiles(larger.size, get))
    return sameDigest(held, root) ? 'continues' : 'differs'
  } catch {
    return 'not_shown'
  }
}

/** A proof as it comes without its log: what news of it go on from. */
export function withoutLog({ log: _, devices, ...bundle }: ProofBundle): ProofBundle {
  const plain = <T extends Pick<ProofBundle, 'anchors'>>(of: T): T => ({
    ...of,
    anchors: of.anchors.map(plainAnchor),
  })
  return { ...plain(bundle), ...(devices && { devices: devices.map(plain) }) }
}

function plainAnchor({ boxes: _, records: __, before, ...anchor }: BundleAnchor): BundleAnchor {
  if (before === null) return { ...anchor, before }
  const { root, leaf, other, path } = before
  return { ...anchor, before: { root, leaf, other, path } }
}
