import { setInterval } from 'node:timers'
import { stampNewest } from '#server/anchoring/stamps/stamp-newest.ts'
import { openEmbedded } from '#server/db/embedded.ts'

/** A process for tests to kill: has the newest checkpoint stamped, in the data folder of its first argument, by the authority and calendar of the others. */
const [, , folder = '', url = '', calendar = ''] = process.argv
const { db } = await openEmbedded(folder)
const tell = (): void => undefined
const config = { TIMESTAMP_URL: url, TIMESTAMP_CA: undefined, OPENTIMESTAMPS_URLS: [calendar] }
const deps = { db, now: () => new Date(), log: { info: tell, warn: tell }, config }
setInterval(tell, 1_000)
await stampNewest(deps, new AbortController().signal, 60_000)
