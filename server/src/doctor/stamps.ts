import { stampState } from '#server/anchoring/index.ts'
import type { Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/client.ts'
import { note, ok, type Said, warning } from './finding.ts'
import { duration } from './rows.ts'

type Settings = Pick<Config, 'TIMESTAMP_URL' | 'OPENTIMESTAMPS_URLS'>

export const asksForStamps = ({ TIMESTAMP_URL, OPENTIMESTAMPS_URLS }: Settings): boolean =>
  (TIMESTAMP_URL ?? OPENTIMESTAMPS_URLS) !== undefined

/** A checkpoint of just after a day's has a whole day, and two hours for whoever does not answer at once. */
const LATE_S = 26 * 3_600
/** Blocks that attest a promise of a calendar come within hours. */
const PENDING_DAYS = 3

const AGAIN =
  'It is asked again each hour by a process of the shop that works on jobs: its log says what came of it.'

/** Whether those who are to stamp the newest checkpoint of the log of anchors did, and in time. */
export async function sayStamps(tx: Tx, config: Settings): Promise<Said[]> {
  const state = await stampState(tx, PENDING_DAYS)
  if (state === undefined)
    return [note('No checkpoint of the log of anchors is signed yet: there is nothing to stamp.')]
  const { TIMESTAMP_URL: authority, OPENTIMESTAMPS_URLS: calendars = [] } = config
  const said: Said[] = state.fault === null ? [] : [warning(state.fault, todoOf(state.fault))]
  const asked = [
    ...(authority === undefined
      ? []
      : [{ by: `the authority at ${new URL(authority).host}`, of: state.tsr }]),
    ...(calendars.length === 0
      ? []
      : [{ by: `the calendars at ${calendars.map((url) => new URL(url).host).join(', ')}`, of: state.ots }]),
  ]
  for (const { by, of } of asked)
    if (of.waitsS > LATE_S)
      said.push(
        warning(
          `A checkpoint of the log of anchors has waited for ${duration(of.waitsS)} to be stamped by ${by}; ${of.day === null ? 'none ever was' : `the last that was is of ${of.day}`}.`,
          `Does a process of the shop run, and reach that address? ${AGAIN}`,
        ),
      )
  if (calendars.length > 0 && state.pending > 0)
    said.push(
      warning(
        `${state.pending} proofs of calendars are in no block yet, the oldest of ${state.pendingSince}: they prove nothing.`,
        'Has OPENTIMESTAMPS_URLS the calendar that promised it? It alone is asked, once a day. A later proof that is in a block covers them.',
      ),
    )
  if (said.length > 0) return said
  return asked.map(({ by, of }) =>
    of.day === null
      ? note(`Nothing is stamped by ${by} yet: it is asked within a day.`)
      : ok(`The checkpoint of ${of.size} anchors, of ${of.day}, was stamped by ${by}.`),
  )
}

/** What to do about the shop's own words for what was not got. */
function todoOf(fault: string): string {
  if (/none of the authorities|vouches for/.test(fault))
    return `Is TIMESTAMP_CA that of this authority? ${AGAIN}`
  return `Ask who runs it, or name another in TIMESTAMP_URL or OPENTIMESTAMPS_URLS. ${AGAIN} Nothing else waits for it.`
}
