import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../tools/test/free-port.ts'

const WORKER = fileURLToPath(new URL('../worker.ts', import.meta.url))

/** The worker program as a process of its own, with a port, once it says that it is ready. Use with `await using`. */
export async function startWorkerProcess(more: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'befaqt-worker-'))
  const port = await freePort()
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env
  const quiet = { LOG_LEVEL: 'silent', SAMPLE_DATA: 'off', DRAIN_S: '0', MQTT_PORT: '0' }
  const child = spawn(process.execPath, [WORKER], {
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      NODE_OPTIONS,
      DATA_DIR: dataDir,
      WORKER_PORT: `${port}`,
      ...quiet,
      ...more,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const said: string[] = []
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line)
    if (line.includes('worker is ready')) ready.resolve()
  })
  await Promise.race([ready.promise, ended.then(() => assert.fail(said.join('\n')))])
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return {
    dataDir,
    ask,
    /** The lines that it wrote for the operator. */
    said: (): readonly string[] => said,
    leads: async () => /^befaqt_leader (\d)$/m.exec(await (await ask('/metrics')).text())?.[1],
    /** Kills it, as a power cut would. */
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    stop: async () => {
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null], said.join('\n'))
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Asks until the answer is as wanted; the time limit of the test ends what never comes. */
export async function askUntil<Answer>(ask: () => Promise<Answer>, isWanted: (answer: Answer) => boolean) {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    await sleep(100)
  }
}
