/**
 * A backup of 1,000,000 records in 2,000 boxes, restored, and every box compared with the ledger: at most 3 minutes for all
 * of it, and 1 GiB of memory for each step. `node bench/src/backup.ts [embedded] [postgres]`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { budgetHead, checkBudget } from './budget.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { boxName, seedBoxes } from './seed-boxes.ts'
import { sized } from './sized.ts'

const BOXES = sized(2_000, 3)
const MOST_MS = 180_000
const MOST_MIB = 1_024
const PROGRAM = fileURLToPath(new URL('../../server/src/cli/befaqt.ts', import.meta.url))
const LOOK_MS = 100

/** The command, with the highest memory that the system saw it have. Source: proc(5). */
async function command(place: BenchDatabase, ...args: string[]) {
  const began = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, ...place.env, DATA_DIR: place.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, said] = [text(child.stdout), text(child.stderr)]
  let mib = 0
  const looking = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => {
        mib = Math.max(mib, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024)
      },
      () => undefined, // it has just ended
    )
  }, LOOK_MS)
  const [status] = await once(child, 'close')
  clearInterval(looking)
  if (status !== 0) throw new Error(`befaqt ${args[0]} ended with ${status}: ${await printed}\n${await said}`)
  return { ms: performance.now() - began, mib: Math.round(mib), printed: await printed }
}

async function measure(place: BenchDatabase): Promise<void> {
  const database = await place.open()
  await seedBoxes(database.db, BOXES)
  await database.close()
  const file = join(place.dataDir, 'bench.backup')
  const backup = await command(place, 'backup', file, '--without-secrets')
  const drill = await command(place, 'drill', file, '--json')
  const { restoredS, boxes, problems, rows } = JSON.parse(drill.printed)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  if (boxes.verified !== BOXES + 1)
    throw new Error(`not every box verified, as ${boxName(0)}: ${JSON.stringify(boxes)}`)
  const megabytes = ((await stat(file)).size / 1e6).toFixed(1)
  console.log(
    `\n## Backup: ${place.name}\n${rows.toLocaleString('en')} rows, a file of ${megabytes} MB. Restored after ${restoredS} s of the drill; ${boxes.verified} boxes verified.`,
  )
  budgetHead('step')
  checkBudget(['backup, restore, every box verified'], backup.ms + drill.ms, { mostMs: MOST_MS })
  checkBudget(['memory of the backup'], backup.mib, { mostMiB: MOST_MIB })
  checkBudget(['memory of restore and drill'], drill.mib, { mostMiB: MOST_MIB })
}

for (const open of databasesNamed(process.argv.slice(2))) {
  await using place = await open()
  await measure(place)
}
process.exit(0)
