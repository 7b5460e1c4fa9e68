import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { killAll, processesIn } from './processes.ts'

/**
 * `guard.ts FOLDER`: waits until whoever started it has closed its input or is gone, however it ended, then kills every
 * process that works in the folder or was started with a setting that names it, and removes it.
 */
const [folder = ''] = process.argv.slice(2)
const TIMES = 100

if (!/\/befaqt-cluster-\w{6}$/.test(folder)) throw new Error(`${folder} is no folder of a cluster`)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.stdin.resume()
await once(process.stdin, 'close')
for (let i = 0; i < TIMES; i++) {
  const left = processesIn(folder, { named: true })
  if (left.length === 0) break
  killAll(left)
  await wait(100)
}
await rm(folder, { recursive: true, force: true })
