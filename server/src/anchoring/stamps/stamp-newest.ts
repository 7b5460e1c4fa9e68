import { hashOf } from '@befaqt/provenance/digest'
import { certificatesIn } from '@befaqt/provenance/evidence/certificates'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { NotStamped, timeStampOf } from './ask-authority.ts'
import { promisesOf, renewed } from './ask-calendars.ts'
import {
  keepOts,
  keepTsr,
  noteAsked,
  noteFault,
  noteOf,
  pendingStamps,
  type Stamp,
  stampOfToday,
} from './stamp-rows.ts'

/*
 * Has the newest checkpoint of the log of anchors stamped, once a day, by whom the settings name. It may be killed anywhere
 * and run again, and by several at once: what is missing is asked for anew, and the first that was got is kept.
 */

export type StampDeps = {
  db: Db
  now: () => Date
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
  config: Pick<Config, 'TIMESTAMP_URL' | 'TIMESTAMP_CA' | 'OPENTIMESTAMPS_URLS'>
}

const TIMEOUT_MS = 15_000
/** How long after it was asked last a calendar is asked again, a little less than a day: the job runs by the hour. */
const AGAIN_MS = 23.5 * 3_600_000

/** @param timeoutMs for each answer */
export async function stampNewest(
  deps: StampDeps,
  signal: AbortSignal,
  timeoutMs: number = TIMEOUT_MS,
): Promise<void> {
  const { db, log, now } = deps
  const row = await stampOfToday(db, now())
  if (row !== undefined) {
    const note = Buffer.from(await noteOf(db, row))
    const faults = [
      ...(await askAuthority(deps, row, note, { signal, timeoutMs })),
      ...(await askCalendars(deps, row, note, { signal, timeoutMs })),
    ]
    const fault = faults.length === 0 ? null : faults.join(' ')
    if ((await noteFault(db, row.day, fault)) && fault !== null)
      log.warn(
        { day: row.day, size: row.size, fault },
        'the newest checkpoint is not stamped as it should be',
      )
  }
  await renewPending(deps, { signal, timeoutMs })
}

type Terms = { signal: AbortSignal; timeoutMs: number }

async function askAuthority(
  { db, log, now, config }: StampDeps,
  { day, size, tsr }: Stamp,
  note: Uint8Array,
  terms: Terms,
): Promise<string[]> {
  const { TIMESTAMP_URL: url, TIMESTAMP_CA: ca } = config
  if (url === undefined || tsr !== null) return []
  try {
    const trusted = ca === undefined ? undefined : certificatesIn(ca)
    const got = await timeStampOf(note, { url, trusted, now, ...terms })
    if (await keepTsr(db, day, got)) log.info({ day, size, by: got.stampedBy }, 'a checkpoint is stamped')
    return []
  } catch (error) {
    if (!(error instanceof NotStamped)) throw error
    return [`The authority at ${new URL(url).host}: ${error.message}`]
  }
}

/** One that answers is enough. */
async function askCalendars(
  { db, log, now, config }: StampDeps,
  { day, size, ots }: Stamp,
  note: Uint8Array,
  terms: Terms,
): Promise<string[]> {
  const { OPENTIMESTAMPS_URLS: urls } = config
  if (urls === undefined || ots !== null) return []
  const found = await promisesOf(hashOf(note), { urls, ...terms })
  const faults = found.faults.map((words) => `The calendar at ${words}`)
  if (found.ots === undefined) return faults
  if (await keepOts(db, day, found.ots, now()))
    log.info({ day, size }, 'calendars promise that a checkpoint will be in a block')
  if (faults.length > 0) log.warn({ day, faults }, 'not every calendar promises anything')
  return []
}

/** Asks calendars what became of their promises, once a day each, until a block attests the proof. */
async function renewPending({ db, log, now, config }: StampDeps, terms: Terms): Promise<void> {
  const { OPENTIMESTAMPS_URLS: urls } = config
  if (urls === undefined) return
  for (const { day, ots } of await pendingStamps(db, new Date(now().getTime() - AGAIN_MS))) {
    if (ots === null) continue
    const { faults, ...found } = await renewed(new Uint8Array(ots), { urls, ...terms })
    await noteAsked(db, day, { ...found, askedAt: now() })
    if (faults.length > 0) log.warn({ day, faults }, 'a calendar does not say what became of its promise')
    if (found.isComplete) log.info({ day }, 'a Bitcoin block attests a checkpoint')
  }
}
