import type { ProofBundle } from './bundle.ts'
import { sameDigest, textOf } from './digest.ts'
import { FormatError } from './format-error.ts'
import { monitorPath } from './log/add-checkpoint.ts'
import { ask } from './log/ask.ts'
import { type Checkpoint, parseCheckpoint } from './log/checkpoint.ts'
import { MAX_NOTE, noteOf, parseNote, signatureLine } from './log/note.ts'
import { keysOf, type Policy } from './log/policy.ts'
import { type OpenedCheckpoint, openCheckpoint } from './log/signed-checkpoint.ts'
import { blockTimeText } from './validate.ts'
import type { Reason } from './verdict.ts'

/*
 * What the witnesses of a policy show as their newest, at their own addresses: a proof that was fetched some days ago may
 * still be the newest there is, or not. Source: witness.md, In the bundle.
 */

/** Milliseconds and bytes that one witness gets; all are asked at once, and a policy has 64 at most. */
const TIMEOUT_MS = 5_000
const MAX_SHOWN = 3 * MAX_NOTE
const MAX_ABOUT = 65_536

/** What one witness shows. */
interface Monitor {
  /** Its names in the policy. */
  readonly names: string
  /** What it says of itself, unsigned; undefined: nothing. */
  readonly kind: string | undefined
  /** Undefined: it shows nothing that the log and it have signed. */
  readonly opened: OpenedCheckpoint | undefined
}

/** What witnesses show, held beside a proof. */
export interface Shown {
  /** The proof with what they have signed of the very state that it has: that may be later than what was in it. */
  readonly proof: ProofBundle
  /** What is to be said of them, for people. */
  readonly lines: readonly string[]
  /** The log has signed another state of the same size. */
  readonly forked: readonly Reason[]
}

/**
 * Asks the witnesses of a policy for the newest state of a proof's log that they have signed, and takes it in account.
 * A proof without a log, or with another one, is left as it is.
 */
export async function withMonitors(proof: ProofBundle, policy: Policy): Promise<Shown> {
  if (proof.log === undefined) return { proof, lines: [], forked: [] }
  const own = parseCheckpoint(parseNote(proof.log.checkpoint).text)
  if (!policy.logs.some(({ key }) => key.name === own.origin)) return { proof, lines: [], forked: [] }
  const monitors = await askMonitors(policy, own.origin)
  const shown = monitors.flatMap(({ names, opened }) => (opened === undefined ? [] : [{ names, opened }]))
  const same = shown.filter(({ opened }) => opened.checkpoint.size === own.size)
  const checkpoint = withSignatures(proof.log.checkpoint, own, same, policy)
  return {
    proof: { ...proof, log: { ...proof.log, checkpoint } },
    lines: monitors.map((monitor) => lineOf(monitor, own)),
    forked: same.flatMap(({ names, opened }) =>
      sameDigest(opened.checkpoint.root, own.root) ? [] : [forkedAt(names)],
    ),
  }
}

const forkedAt = (names: string): Reason => ({
  code: 'log_conflict',
  words: `${names} shows another state of this log, of the same size and signed by it too: it has two histories.`,
})

function lineOf({ names, kind, opened }: Monitor, { size }: Checkpoint): string {
  const who = kind === undefined ? names : `${names} (by its own page ${kind})`
  if (opened === undefined) return `  ${who} shows no state of this log.`
  const times = opened.cosignatures.map(({ timeS }) => timeS)
  const signed = `has signed ${opened.checkpoint.size} entries at ${blockTimeText(Math.max(...times))}`
  return opened.checkpoint.size > size
    ? `  ${who} ${signed}, and the proof has ${size}: fetch it anew.`
    : `  ${who} ${signed}.`
}

/** Asks each address of the policy once; who does not answer shows nothing. */
function askMonitors(policy: Policy, origin: string): Promise<Monitor[]> {
  const addresses = new Map<string, string[]>()
  for (const [name, { url }] of policy.witnesses) {
    const address = url?.replace(/\/{1,20}$/, '')
    if (address !== undefined) addresses.set(address, [...(addresses.get(address) ?? []), name])
  }
  return Promise.all(
    Array.from(addresses, async ([url, names]): Promise<Monitor> => {
      const [note, about] = await Promise.all([
        textAt(url + monitorPath(origin), MAX_SHOWN),
        textAt(`${url}/`, MAX_ABOUT),
      ])
      const [, kind] = /^kind (auditing|general)$/m.exec(about ?? '') ?? []
      return {
        names: names.join(', '),
        kind,
        opened: note === undefined ? undefined : await opensUnder(policy, origin, note),
      }
    }),
  )
}

async function textAt(url: string, maxBytes: number): Promise<string | undefined> {
  try {
    const { status, body } = await ask(url, { maxBytes, timeoutMs: TIMEOUT_MS })
    return status === 200 ? textOf(body) : undefined
  } catch {
    return undefined
  }
}

/** A state of this log that a witness of the policy has signed; others are not looked at. */
async function opensUnder(
  policy: Policy,
  origin: string,
  note: string,
): Promise<OpenedCheckpoint | undefined> {
  try {
    const { logs, cosigners } = keysOf(policy)
    const opened = await openCheckpoint(note, logs, cosigners)
    return opened.checkpoint.origin === origin && opened.cosignatures.length > 0 ? opened : undefined
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** The note with the monitors' own lines beside its own: of a key that signed twice the later time counts. */
function withSignatures(
  text: string,
  own: Checkpoint,
  same: readonly { opened: OpenedCheckpoint }[],
  policy: Policy,
): string {
  const note = parseNote(text)
  const known = keysOf(policy).cosigners
  const lines = same
    .filter(({ opened }) => sameDigest(opened.checkpoint.root, own.root))
    .flatMap(({ opened }) => opened.note.signatures)
    .filter((line) => known.some(({ name, id }) => name === line.name && id === line.id))
  const all = [...note.signatures, ...lines].map(({ name, id, bytes }) => signatureLine({ name, id }, bytes))
  const merged = noteOf(note.text, [...new Set(all)])
  try {
    parseNote(merged)
    return merged
  } catch {
    return text // more than a note holds: what the proof has stands alone
  }
}
