/**
 * `npm run cluster -- [fault …]`: two web processes and a worker on two PostgreSQL under Patroni with three etcd, PgBouncer,
 * HAProxy, Mosquitto, an S3 store and a node, with the files of `deploy/cluster/`, under load, while one after the other
 * fails. `fault`: words of those to try, all unless told. Exit status 1 when a goal is missed or the machine lacks
 * something; at most an hour.
 */

import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { log, runScript, UserError } from '../../tools/script.mjs'
import { auditLedger } from './chaos/audit.ts'
import { checkStock, heldOnceAll } from './cluster/audit.ts'
import { missed, type Row, rowOf, table } from './cluster/count.ts'
import { type Fault, faults, untilHealed, untilSold } from './cluster/faults.ts'
import { type Load, startLoad } from './cluster/load.ts'
import { openPlace } from './cluster/place.ts'
import { findPrograms } from './cluster/programs.ts'
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

function chosen(): readonly Fault[] {
  const words = process.argv.slice(2)
  const found =
    words.length === 0 ? faults : faults.filter(({ name }) => words.some((word) => name.includes(word)))
  if (found.length > 0) return found
  throw new UserError(`Please name some of: ${faults.map(({ name }) => name).join('; ')}`)
}

function report(rows: readonly Row[]): string[] {
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  return [`npm run cluster, ${day}, ${machine}`, '', ...table(rows)]
}

await runScript(async () => {
  const wanted = chosen()
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
  await using world = await openWorld(place, programs, built, log)
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
    for (const line of [...report(rows), '', ...sentences]) console.log(line)
    return rows.every((row) => missed(row).length === 0) ? 0 : 1
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
