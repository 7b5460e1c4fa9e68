import type { Progress } from '#server/backup/make-backup.ts'
import { readConfig } from '#server/config/config.ts'
import type { Drilled } from '#server/doctor/drill.ts'
import { secretFilter } from '#server/doctor/finding.ts'
import { holdDrill } from '#server/doctor/hold-drill.ts'
import { print } from './command.ts'

export type DrillOptions = {
  from: string
  passphrase: string | undefined
  embedded: boolean
  json: boolean
  progress: Progress
}

/** Restores the newest backup beside the shop, says whether it would be a shop again, and writes that down. Returns the exit status. */
export async function runDrill({ json, ...options }: DrillOptions): Promise<number> {
  const config = readConfig(process.env)
  const clean = secretFilter(process.env)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error('Stopped: nothing of the drill is left.')))
  const { at, ok, problems, drilled } = await holdDrill({ ...options, config, signal: stop.signal }, clean)
  if (drilled === undefined) {
    const words = `No shop came of the backup: ${problems[0]}`
    print(json ? JSON.stringify({ ok, at, problems }, null, 2) : words)
  } else if (json) print(JSON.stringify({ at, ...drilled }, null, 2))
  else tell(drilled)
  return ok ? 0 : 1
}

const count = (n: number): string => n.toLocaleString('en')

function tell({ backup, into, madeAt, restoredS, tookS, boxes, lacks, problems, ...of }: Drilled): void {
  const where = into === 'postgres' ? 'a database of its own' : 'an embedded database'
  print(
    `${backup}, the shop of ${madeAt}, was restored into ${where} in ${restoredS} s: ${count(of.rows)} rows, ${count(of.files)} files.`,
  )
  const verdicts = Object.entries(boxes).map(([verdict, n]) => `${count(n)} ${verdict}`)
  print(`Boxes by what anybody can verify: ${verdicts.join(', ') || 'none'}.`)
  for (const words of lacks) print(`It lacks ${words}`)
  for (const words of problems) print(`WRONG: ${words}`)
  print(
    `${problems.length === 0 ? 'It would be the shop again.' : 'It would not be the shop as it was.'} ${tookS} s; nothing of it is left.`,
  )
}
