import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { chainHealth } from './ledger-health.ts'

const program = fileURLToPath(new URL('../testing/anchor-until-stopped.ts', import.meta.url))
/** A process of a busy machine must be able to answer within a third of it. */
const LEASE_MS = 4_000
const ROUNDS = 4
const PATIENCE_MS = 120_000
/** Lines of each process's log that a failure shows. */
const SHOWN = 12

type Anchorer = { process: ChildProcess; said: string[] }

function startProcess(name: string, url: string, rpc: string): Anchorer {
  const named = `${url}?application_name=${name}`
  const child = spawn(process.execPath, [program, named, rpc, String(LEASE_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')))
  return { process: child, said }
}

/** Name of the process that leads now. */
async function leader(db: Db): Promise<string | undefined> {
  const [found] = await rows<{ name: string }>(
    db,
    sql`select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.granted and a.datname = current_database()`,
  )
  return found?.name
}

test('a leader that is stopped is succeeded, and anchors nothing twice when it goes on', {
  skip: withoutPostgres,
}, async (t) => {
  await using database = await testPostgres()
  const { db } = database
  await using network = await testNetwork()
  const processes = new Map(
    ['one', 'two'].map((name) => [name, startProcess(name, database.url, network.http.url)]),
  )
  const world = anchoringWorld(db, network.chain, { now: () => new Date() })
  let written = 0
  const write = async (): Promise<void> => {
    await addRecords(db, 'a', 1)
    written++
  }
  /** Repeats `meanwhile` until `done`, or says where everything stands. */
  const until = async (
    what: string,
    done: () => Promise<boolean>,
    meanwhile: () => Promise<unknown>,
  ): Promise<void> => {
    const end = performance.now() + PATIENCE_MS
    while (!(await done())) {
      if (performance.now() > end) {
        const logs = [...processes].map(([name, { said }]) => [name, ...said.slice(-SHOWN)].join('\n  '))
        const asked = network.http.asked.slice(-SHOWN).join(' ')
        assert.fail(
          `not yet: ${what}. ${await leader(db)} leads. Asked of the node: ${asked}\n${logs.join('\n')}`,
        )
      }
      await meanwhile()
    }
  }
  const reached = async (): Promise<number> => (await world.anchors()).length
  const untilReached = (anchors: number): Promise<void> =>
    until(`${anchors} anchors`, async () => (await reached()) >= anchors, write)
  try {
    await addBox(db, 'a')
    for (let round = 0; round < ROUNDS; round++) {
      await untilReached((await reached()) + 3)
      await sleep(Math.random() * 100) // anywhere in its work
      const leads = await leader(db)
      const frozen = processes.get(leads ?? '')?.process
      assert.ok(frozen, `${leads} leads`)
      frozen.kill('SIGSTOP')
      const stoppedAt = performance.now()
      const isSucceeded = async (): Promise<boolean> => ![undefined, leads].includes(await leader(db))
      await until(`a successor of ${leads}`, isSucceeded, () => sleep(50))
      t.diagnostic(`taken over after ${Math.round(performance.now() - stoppedAt)} ms`)
      await untilReached((await reached()) + 2)
      frozen.kill('SIGCONT')
    }
    const isAnchored = async (): Promise<boolean> => (await chainHealth(world.deps)).pendingRecords === 0
    await until('every record anchored', isAnchored, () => sleep(50))
  } finally {
    for (const { process: child } of processes.values()) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
  }
  const anchors = await world.anchors()
  const { contract } = await world.ledger()
  assert.deepEqual(
    anchors.map(({ index }) => index),
    anchors.map((_, i) => i),
  )
  assert.equal(await network.chain.anchorCount(contract), anchors.length)
  for (const { index, root } of anchors)
    assert.equal((await network.chain.anchorOf(contract, index))?.root, root)
  assert.equal(
    anchors.reduce((sum, { records }) => sum + records, 0),
    written,
  )
  assert.equal((await world.transactions()).length, anchors.length + 1, 'nothing was signed twice')
})
