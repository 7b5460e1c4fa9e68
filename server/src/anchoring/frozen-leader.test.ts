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
import { chainHealth } from './chain-health.ts'

const program = fileURLToPath(new URL('../testing/anchor-until-stopped.ts', import.meta.url))
const LEASE_MS = 2_000
const ROUNDS = 4

function startProcess(name: string, url: string, rpc: string): ChildProcess {
  const named = `${url}?application_name=${name}`
  return spawn(process.execPath, [program, named, rpc, String(LEASE_MS)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
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
  try {
    await addBox(db, 'a')
    for (let round = 0; round < ROUNDS; round++) {
      const before = (await world.anchors()).length
      while ((await world.anchors()).length < before + 3) await write()
      await sleep(Math.random() * 100) // anywhere in its work
      const leads = await leader(db)
      const frozen = processes.get(leads ?? '')
      assert.ok(frozen, `${leads} leads`)
      frozen.kill('SIGSTOP')
      const stoppedAt = performance.now()
      for (let next = leads; next === undefined || next === leads; next = await leader(db)) await sleep(50)
      t.diagnostic(`taken over after ${Math.round(performance.now() - stoppedAt)} ms`)
      const reached = (await world.anchors()).length
      while ((await world.anchors()).length < reached + 2) await write()
      frozen.kill('SIGCONT')
    }
    while ((await chainHealth(world.deps)).pendingRecords > 0) await sleep(50)
  } finally {
    for (const child of processes.values()) {
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
