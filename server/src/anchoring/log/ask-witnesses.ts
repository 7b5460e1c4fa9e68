import { toHex } from '@befaqt/provenance'
import { AnswerTooLong } from '@befaqt/provenance/log/ask'
import { parseVerifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import type { Policy } from '@befaqt/provenance/log/policy'
import { EMPTY_ROOT } from '@befaqt/provenance/log/tree'
import { eq } from 'drizzle-orm'
import { logWitnesses } from '#server/db/schema/anchor-log.ts'
import {
  type AskDeps,
  Contradiction,
  cosignaturesBy,
  NotWatched,
  NotYet,
  noteContradiction,
  type What,
  type WitnessAddress,
  WitnessFault,
} from './ask-witness.ts'
import { forgetOthers, keepCosignatures, newestSigned, noteWitness, signersAt } from './cosignatures.ts'
import { signedLogs } from './shop-logs.ts'

/*
 * The shop sends the newest checkpoints of its logs to the witnesses of its policy, and keeps what they sign. Nothing waits
 * for them: not anchoring, not signing.
 */

/** Asks witnesses beside everything else. */
export type WitnessCalls = {
  /**
   * Looks at what all of them show, without sending them anything: a checkpoint by our key that is not here ends our signing,
   * before a database that was put back signs anything else. Takes as long as one request may; one that is down shows nothing.
   */
  look(deps: AskDeps): Promise<void>
  /** Begins to ask those that are due, unless that goes on already. Returns whether one showed a checkpoint that ends our signing. */
  begin(deps: AskDeps): boolean
  /** Resolves when none is being asked. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Seconds between two requests to one witness. */
const EVERY_S = 60
const TIMEOUT_MS = 10_000
/** How long a witness may say that it has yet to look at what it is sent; an auditing one first follows the anchors. */
const GRACE_S = 15 * 60
/** How asking a witness about one log goes. */
type Asking = {
  askedAt: number
  /** Since when it says that it has yet to look. */
  waitsSince?: number | undefined
}

/** One for each address of the policy: a witness with two keys is asked once. */
function addressesIn(policy: Policy): WitnessAddress[] {
  const asked = new Map<string, WitnessAddress>()
  for (const [name, { url, key }] of policy.witnesses) {
    if (url === undefined) continue
    const address = url.replace(/\/{1,20}$/, '')
    const known = asked.get(address)
    const [names, keys] =
      known === undefined ? [name, [key]] : [`${known.name}, ${name}`, [...known.keys, key]]
    asked.set(address, { url: address, name: names, keys })
  }
  return [...asked.values()]
}

/** @param times seconds between two requests to one witness, how long each may take, and how long one may have yet to look */
export function witnessCalls(policy: Policy, times: Partial<Times> = {}): WitnessCalls {
  const { everyS, ...terms } = { everyS: EVERY_S, timeoutMs: TIMEOUT_MS, graceS: GRACE_S, ...times }
  const stopping = new AbortController()
  const witnesses = addressesIn(policy)
  const asking = new Map<string, Asking>()
  let running: Promise<void> | undefined
  let isEnded = false
  const askAll = async (deps: AskDeps): Promise<void> => {
    const logs = await signedLogs(deps.db)
    const pairs = logs.flatMap((log) =>
      witnesses.map((witness) => ({ log, witness, id: idOf(witness, log.of) })),
    )
    await forgetOthers(
      deps.db,
      witnesses.flatMap((witness) => [idOf(witness), idOf(witness, 'builds')]),
    )
    const newest = new Map<string, Awaited<ReturnType<typeof newestSigned>>>()
    for (const { origin } of logs) newest.set(origin, await newestSigned(deps.db, origin))
    const ends = await Promise.all(
      pairs.map(async ({ log, witness, id }) => {
        const how = asking.get(id) ?? { askedAt: Number.NEGATIVE_INFINITY }
        asking.set(id, how)
        const signed = newest.get(log.origin)
        if (signed === undefined || deps.now().getTime() - how.askedAt < everyS * 1000) return false
        const what = { log: parseVerifierKey(log.key), of: log.of, newest: signed, signal: stopping.signal }
        return askOne(deps, { ...what, ...terms, how, id }, witness)
      }),
    )
    isEnded ||= ends.includes(true)
  }
  const look = async (deps: AskDeps): Promise<void> => {
    for (const { origin, key, of } of await signedLogs(deps.db)) {
      const newest = (await newestSigned(deps.db, origin)) ?? { origin, ...NOTHING_SIGNED }
      const what = {
        log: parseVerifierKey(key),
        of,
        newest,
        signal: stopping.signal,
        timeoutMs: terms.timeoutMs,
      }
      await Promise.all(witnesses.map((witness) => noteContradiction(deps, what, witness)))
    }
  }
  return {
    look,
    begin(deps) {
      running ??= askAll(deps)
        .catch((err: unknown) => {
          if (!stopping.signal.aborted) deps.log.warn({ err }, 'witnesses could not be asked')
        })
        .finally(() => {
          running = undefined
        })
      const wasEnded = isEnded
      isEnded = false
      return wasEnded
    },
    settled: async () => running,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const NOTHING_SIGNED = { size: 0, root: toHex(EMPTY_ROOT), note: '' }

/** A witness and one of the logs, as its state is stored. */
const idOf = ({ url }: WitnessAddress, of?: string): string => (of === undefined ? url : `${url} builds`)

type Terms = { timeoutMs: number; graceS: number }
type Times = Terms & { everyS: number }
type Question = What & Terms & { how: Asking; id: string }

/** None of these are its own words. */
function wordsOf(error: unknown): string {
  if (error instanceof WitnessFault) return error.message
  return error instanceof AnswerTooLong ? 'Its answer is too long.' : 'It could not be reached.'
}

/** Returns whether it shows a checkpoint by our key that ends our signing. */
async function askOne(deps: AskDeps, what: Question, witness: WitnessAddress): Promise<boolean> {
  const { db, log } = deps
  const have = await signersAt(db, what.newest)
  if (witness.keys.every((key) => have.includes(verifierKeyText(key)))) return false
  what.how.askedAt = deps.now().getTime()
  let fault: string | null = null
  let ends = false
  try {
    await keepCosignatures(db, what.newest, await cosignaturesBy(deps, what, witness))
  } catch (error) {
    if (error instanceof NotWatched && what.of !== undefined) {
      await db.delete(logWitnesses).where(eq(logWitnesses.url, what.id))
      return false
    }
    if (what.signal.aborted || isPatient(deps, what, error)) return false
    fault = wordsOf(error)
    ends = error instanceof Contradiction && (await noteContradiction(deps, what, witness))
  }
  what.how.waitsSince = undefined
  const name = what.of === undefined ? witness.name : `${witness.name}, of builds`
  if (await noteWitness(db, { url: what.id, name, fault })) {
    if (fault === null) log.info({ witness: name }, 'the witness signs')
    else log.warn({ witness: name, url: witness.url, fault }, 'the witness does not sign')
  }
  return ends
}

function isPatient({ now }: AskDeps, { graceS, how }: Question, error: unknown): boolean {
  if (!(error instanceof NotYet)) return false
  how.waitsSince ??= now().getTime()
  return now().getTime() - how.waitsSince < graceS * 1000
}
