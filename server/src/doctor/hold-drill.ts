import { noteDrill } from '#server/backup/last-drill.ts'
import { makeDataDir } from '#server/config/data-dir.ts'
import { type Drilled, type DrillWanted, drill } from './drill.ts'
import { NoPlace } from './drill-place.ts'
import { reasonOf } from './finding.ts'

/** How a drill ended; `drilled`: what it found, where it came so far. */
export type HeldDrill = { at: string; ok: boolean; problems: string[]; drilled: Drilled | undefined }

/**
 * Holds a drill, and writes down for metrics and people how it ended. One that could not be held, or was stopped, says
 * nothing of the backup, and is not written down.
 * @param clean takes secrets out of what is written
 * @throws NoPlace, or the reason of the signal
 */
export async function holdDrill(wanted: DrillWanted, clean: (text: string) => string): Promise<HeldDrill> {
  const { config, signal } = wanted
  const began = performance.now()
  const found = await drill(wanted).catch((error: unknown) => {
    if (error instanceof NoPlace) throw error
    return { failed: clean(reasonOf(error)) }
  })
  signal.throwIfAborted()
  const at = new Date().toISOString()
  await makeDataDir(config.DATA_DIR)
  if ('failed' in found) {
    const problems = [found.failed]
    const tookS = Math.round((performance.now() - began) / 1000)
    await noteDrill(config.DATA_DIR, { at, ok: false, problems, backup: null, madeAt: null, tookS })
    return { at, ok: false, problems, drilled: undefined }
  }
  const { ok, backup, madeAt, tookS } = found
  const problems = found.problems.map(clean)
  await noteDrill(config.DATA_DIR, { at, ok, problems, backup, madeAt, tookS })
  return { at, ok, problems, drilled: { ...found, problems } }
}
