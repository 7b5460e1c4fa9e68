/**
 * `npm run cluster -- [word …]`: two web processes and a worker on two PostgreSQL under Patroni with three etcd, PgBouncer,
 * HAProxy, Mosquitto, an S3 store and a node, with the files of `deploy/cluster/`, under load, while one after the other
 * fails; then how much slower the pooler makes it. `word`: of the names of what to try, all unless told; `from=COMMIT` begins with a version from before, and first
 * upgrades it. Exit status 1 when a goal is missed or the machine lacks
 * something; at most an hour.
 */

import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { log, runScript, UserError } from '../../tools/script.mjs'
import { auditLedger } from './chaos/audit.ts'
import { checkStock, heldOnceAll } from './cluster/audit.ts'
import { missed, type Row, rowOf, table } from './cluster/count.ts'
import { type Fault, faults, untilHealed, untilSold, upgradeTo } from './cluster/faults.ts'
import { type Load, startLoad } from './cluster/load.ts'
import { openPlace } from './cluster/place.ts'
import { comparePooled } from './cluster/pooled.ts'
import { findPrograms } from './cluster/programs.ts'
import { olderVersion } from './cluster/versions.ts'
import { openWorld, type World } from './cluster/world.ts'
import { builtProgram } from './shop.ts'
import { endSmoke } from './sized.ts'

const LIMIT_MS = 3_600_000
const QUIET_MS = 3_000
const SETTLED_MS = 120_000

endSmoke()

/** One fault, from three quiet seconds before it until all is healthy and everybody was told. */
async function tryOut(fault: Fault, world: World, load: Load): Promise<Row> {
  const died = (): number => [...world.webs, world.worker].filter((one) => one.died !== undefined).length
  const before = died()
  const from = performance.now()
  await wait(QUIET_MS)
  await fault.happen(world, load)
  await untilHealed(world)
  await untilSold(load)
  await load.settled(SETTLED_MS)
  const to = performance.now()
  const told = load.told.filter(({ at }) => at < to)
  const { name, goal } = fault
  const had = await heldOnceAll(world, told)
  return rowOf({ fault: name, goal, from, to, ends: died() - before }, told, load.asked, had)
}

const POOL = 'through the pooler'

/** Whether the command line names it, or names nothing. */
function isWanted(name: string): boolean {
  const words = process.argv.slice(2)
  return words.length === 0 || words.some((word) => name.includes(word))
}

function report(rows: readonly Row[]): string[] {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  return [`npm run cluster, ${day}, ${machine}`, '', ...table(rows)]
}

await runScript(async () => {
  const from = process.argv.slice(2).flatMap((word) => /^from=([0-9a-f]{7,40})$/.exec(word)?.[1] ?? [])[0]
  const named = faults.filter(({ name }) => isWanted(name))
  if (named.length === 0 && !isWanted(POOL) && from === undefined)
    throw new UserError(
      `Please name some of: ${[...faults.map(({ name }) => name), POOL, 'from=COMMIT'].join('; ')}`,
    )
  const programs = findPrograms()
  if ('why' in programs) throw new UserError(programs.why)
  await using place = openPlace(programs.user)
  const leave = (status: number): void => void place[Symbol.asyncDispose]().then(() => process.exit(status))
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(signal, () => leave(status))
  const late = setTimeout(() => {
    log(`the cluster is not done after ${LIMIT_MS / 60_000} minutes`)
    leave(1)
  }, LIMIT_MS).unref()
  const built = { main: builtProgram('main').args, worker: builtProgram('worker').args }
  const older = from === undefined ? undefined : await olderVersion(place.folder, from)
  const wanted = from === undefined ? named : [upgradeTo(built, from), ...named]
  await using world = await openWorld(place, programs, older ?? { built }, log)
  const load = await startLoad(world)
  const rows: Row[] = []
  await untilHealed(world)
  await untilSold(load)
  try {
    for (const fault of wanted) {
      log(fault.name)
      const row = await tryOut(fault, world, load)
      rows.push(row)
      log(missed(row).join(', ') || `met, ${(row.withoutWritesMs / 1_000).toFixed(1)} s without writes`)
      for (const failure of row.failures.slice(0, 10)) log(`  ${failure}`)
    }
    await load.stop()
    const sentences = [await checkStock(world), ...(await auditLedger(world))]
    if (wanted.length > 0) for (const line of [...report(rows), '', ...sentences]) console.log(line)
    const areMet = rows.every((row) => missed(row).length === 0)
    if (!isWanted(POOL)) return areMet ? 0 : 1
    log(POOL)
    const { lines, isMet } = await comparePooled(world)
    for (const line of [...report([]).slice(0, 2), ...lines]) console.log(line)
    return areMet && isMet ? 0 : 1
  } catch (error) {
    // What is there so far took minutes, and says more than the error alone.
    for (const line of report(rows)) console.log(line)
    for (const { name, died, errors } of [...world.webs, world.worker])
      for (const said of [...(died ? [died] : []), ...errors.slice(-3)])
        log(`${name}: ${said.slice(0, 2_000)}`)
    throw error
  } finally {
    clearTimeout(late)
  }
})
process.exit()
