import type { Progress } from '#server/backup/make-backup.ts'
import { readConfig } from '#server/config/config.ts'
import { makeDataDir } from '#server/config/data-dir.ts'
import { type Drilled, drill } from '#server/doctor/drill.ts'
import { NoPlace } from '#server/doctor/drill-place.ts'
import { reasonOf, secretFilter } from '#server/doctor/finding.ts'
import { noteDrill } from '#server/doctor/last-drill.ts'
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
  const began = performance.now()
  const drilled = await drill({ ...options, config, signal: stop.signal }).catch((error: unknown) => {
    if (error instanceof NoPlace) throw error // which says nothing of the backup
    return { failed: clean(reasonOf(error)) }
  })
  if (stop.signal.aborted) throw stop.signal.reason
  const at = new Date().toISOString()
  await makeDataDir(config.DATA_DIR)
  if ('failed' in drilled) {
    const { failed } = drilled
    const tookS = Math.round((performance.now() - began) / 1000)
    await noteDrill(config.DATA_DIR, { at, ok: false, problems: [failed], backup: null, madeAt: null, tookS })
    print(
      json
        ? JSON.stringify({ ok: false, at, problems: [failed] }, null, 2)
        : `No shop came of the backup: ${failed}`,
    )
    return 1
  }
  const { ok, backup, madeAt, tookS } = drilled
  const problems = drilled.problems.map(clean)
  await noteDrill(config.DATA_DIR, { at, ok, problems, backup, madeAt, tookS })
  if (json) print(JSON.stringify({ at, ...drilled, problems }, null, 2))
  else tell({ ...drilled, problems })
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
