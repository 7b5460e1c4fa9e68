import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../tools/script.mjs'
import { freePort } from '../../tools/test/free-port.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { type BenchDatabase, databases } from './databases.ts'
import { percentile } from './percentile.ts'
import { answers, cpuMs, memoryMiB, type Shop, startShop, untilIdle } from './shop.ts'

const SECOND_START_MS = 3_000
const MAX_MIB = { 'embedded database': 600, PostgreSQL: 250 }

const SAMPLE_MS = 5_000
/** Memory that changes less than this in `SAMPLE_MS` is at rest. */
const ALIKE_MIB = 2

/** Memory of the idle shop in MiB: its image workers have exited by then. */
async function memoryAtRest(shop: Shop): Promise<number> {
  await untilIdle(shop)
  await wait(2 * SAMPLE_MS)
  for (let before = await memoryMiB(shop.pid); ; ) {
    await wait(SAMPLE_MS)
    const now = await memoryMiB(shop.pid)
    if (Math.abs(now - before) <= ALIKE_MIB) return now
    before = now
  }
}

/** From `npm start` on the data of an earlier start to the first page, in milliseconds. */
async function secondStart(place: BenchDatabase): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: `${port}`, MQTT_PORT: '0', DATA_DIR: place.dataDir, ...place.env },
    stdio: 'ignore',
  })
  const ended = once(npm, 'exit')
  while (!(await answers(`http://localhost:${port}`))) {
    if (npm.exitCode !== null) throw new Error('npm start ended')
    await wait(20)
  }
  const took = performance.now() - began
  npm.kill('SIGTERM')
  await ended
  return took
}

async function measureOn(place: BenchDatabase): Promise<void> {
  const memory = { mostMiB: MAX_MIB[place.name] }
  {
    await using shop = await startShop(place.env, place.dataDir)
    checkBudget(['memory at rest after the first start', place.name], await memoryAtRest(shop), memory)
  }
  const times = [await secondStart(place), await secondStart(place), await secondStart(place)]
  checkBudget(['second start by npm start to the first page', place.name], percentile(times, 0.5), {
    mostMs: SECOND_START_MS,
  })
  await using shop = await startShop(place.env, place.dataDir)
  checkBudget(['the same, processor time of the server alone', place.name], await cpuMs(shop.pid), {
    mostMs: SECOND_START_MS,
  })
  checkBudget(['memory at rest after it', place.name], await memoryAtRest(shop), memory)
}

/** Prints start times and memory at rest on both databases, with the sample data, beside the budgets. */
export async function measureStarts(): Promise<void> {
  budgetHead('what', 'on')
  for (const open of databases) {
    await using place = await open()
    await measureOn(place)
  }
}
