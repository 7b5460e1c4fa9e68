import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/within.ts'

/** Generous: image variants have the lowest priority. */
const COPY_S = 300

/** Running child processes of the server. */
const childrenOf = async ({ pid }: Server): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)

/** Whether a process is running; a zombie is not. */
const runs = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !/\) Z /.test(stat)
}

/** Unfinished jobs: after a first start mostly images without variants. */
const waiting = async (server: Server): Promise<number> => {
  for (;;) {
    const metrics = await (await server.call('/metrics')).text()
    const found = /^befaqt_jobs_waiting (\d+)$/m.exec(metrics)?.[1]
    if (found !== undefined) return Number(found) // figures come with the first look, soon after the start
    await wait(200)
  }
}

const failures = ({ log }: Server): string[] =>
  log.lines.filter(({ msg }) => msg === 'job failed').map((line) => JSON.stringify(line))

test('a shop stopped or killed while it makes image variants leaves no process, and continues where it was', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'befaqt-pictures-'))
  try {
    await using first = await startServer({ dataDir })
    await until(COPY_S, 'copies are being made', async () => (await childrenOf(first)).length > 0)
    const before = await childrenOf(first)
    await first.stop()
    for (const pid of before) assert.equal(await runs(pid), false, `process ${pid} outlived the shop`)
    assert.deepEqual(failures(first), [], 'to be stopped is no failure')

    await using second = await startServer({ dataDir })
    const left = await waiting(second)
    await until(COPY_S, 'more copies are made', async () => (await waiting(second)) < left)
    const later = await childrenOf(second)
    assert.ok(later.length > 0, 'a process of its own makes them')
    await second.kill()
    for (const pid of later) await until(COPY_S, `process ${pid} ends`, async () => !(await runs(pid)))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
