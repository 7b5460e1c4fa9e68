import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newestBuild } from '../../tools/build-folders.ts'
import { fromRoot, root } from '../../tools/script.mjs'
import { serverProgram } from '../../tools/server-program.ts'
import { freePort } from '../../tools/test/free-port.ts'
import { newDataDir } from './databases.ts'

/** Arguments and environment of a built program of the shop: of the build that a test names, else of the newest. */
export const builtProgram = (name: 'main' | 'worker'): ReturnType<typeof serverProgram> => {
  const named = process.env.SERVER_PROGRAM
  const folder = named === undefined ? newestBuild(fromRoot('server', 'dist')) : dirname(named)
  if (folder === undefined) throw new Error('There is no build: npm run build makes one.')
  return serverProgram(name, folder)
}

export type Shop = AsyncDisposable & {
  url: string
  dataDir: string
  pid: number
  key: string
  startMs: number
}

/** Starts the built shop as `npm start` does, and waits until it is ready; `startMs`: from the start to the first page. */
export async function startShop(env: Record<string, string> = {}, dataDir?: string): Promise<Shop> {
  const program = builtProgram('main')
  const folder = dataDir ?? (await newDataDir())
  const port = await freePort()
  const url = `http://localhost:${port}` // pages under another host name redirect here
  const began = performance.now()
  const child = spawn(process.execPath, program.args, {
    cwd: root,
    env: {
      ...program.env,
      ...process.env,
      PORT: String(port),
      MQTT_PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error('the shop did not start')
    await new Promise((done) => setTimeout(done, 50))
  }
  const startMs = performance.now() - began
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
  }
  const key = (await readFile(join(folder, 'operator.key'), 'utf8')).trim()
  return { url, dataDir: folder, pid: child.pid ?? 0, key, startMs, [Symbol.asyncDispose]: stop }
}

export const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )

/** Waits until nothing runs in the background, which would compete for the CPU. */
export async function untilIdle({ url }: Shop): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    if (/^befaqt_jobs_oldest_due_seconds 0$/m.test(metrics) && /^befaqt_records_pending 0$/m.test(metrics))
      return
    await new Promise((done) => setTimeout(done, 1_000))
  }
}

/** Resident memory of a process in MiB. */
export async function memoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** Clock ticks per second on Linux. */
const TICK_MS = 10

/** CPU time of a process so far, all threads, in milliseconds. Source: proc_pid_stat(5). */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the name before it may contain anything
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** The result of some work, its duration and the shop's CPU time, in milliseconds. */
type Cost<T> = { result: T; ms: number; cpuMs: number }

export async function costOf<T>({ pid }: Shop, work: () => Promise<T>): Promise<Cost<T>> {
  const [cpu, began] = [await cpuMs(pid), performance.now()]
  const result = await work()
  const ms = performance.now() - began
  return { result, ms, cpuMs: (await cpuMs(pid)) - cpu }
}
