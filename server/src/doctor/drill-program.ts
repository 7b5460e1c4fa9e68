/* Holds one drill in a process of its own: see drill-job.ts, which starts it. */
import { restrictUmask } from '#server/config/data-dir.ts'
import type { DrillOrder, DrillSaid } from './drill-job.ts'
import { secretFilter } from './finding.ts'
import { holdDrill } from './hold-drill.ts'

/** What does not end by itself is ended by the system: the next drill removes what is left of it. */
const STOP_MS = 20_000

restrictUmask()
const stop = new AbortController()
process.once('disconnect', () => {
  stop.abort(new Error('stopped'))
  setTimeout(() => process.exit(1), STOP_MS)
})
const end = (said: DrillSaid, status: number): void => {
  if (process.connected) process.send?.(said, () => process.exit(status))
  else process.exit(status)
}
process.once('message', ({ config, from, passphrase }: DrillOrder) => {
  const wanted = { config, from, passphrase, skipsOthers: true, embedded: false, progress: () => undefined }
  holdDrill({ ...wanted, signal: stop.signal }, secretFilter(process.env)).then(
    ({ ok, problems, drilled }) =>
      end({ ok, problems, backup: drilled?.backup ?? null, tookS: drilled?.tookS ?? null }, 0),
    (error: unknown) => end({ notHeld: error instanceof Error ? error.message : String(error) }, 1),
  )
})
