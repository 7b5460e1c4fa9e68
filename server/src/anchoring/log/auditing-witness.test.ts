import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseVerifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import { parsePolicy } from '@befaqt/provenance/log/policy'
import { ed25519Of, startWitness } from '@befaqt/provenance/testing/witness-process'
import { sql } from 'drizzle-orm'
import { embeddedChain } from '#server/chain/embedded.ts'
import { type Db, rows } from '#server/db/client.ts'
import { anchorLogs, logWitnesses } from '#server/db/schema/anchor-log.ts'
import { AT_ONCE, logSettings } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDb } from '#server/testing/database.ts'
import { liar } from '#server/testing/liar.ts'
import { testShop } from '#server/testing/shop.ts'
import { witnessCalls } from './ask-witnesses.ts'
import { followAnchors } from './sign-log.ts'

const faultsIn = async (db: Db) => (await db.select().from(logWitnesses)).map(({ fault }) => fault)
const policyOf = (...lines: string[]) => parsePolicy(Buffer.from(`${lines.join('\n')}\nquorum none\n`))

test('an auditing witness follows a real shop and signs; a box that is rewritten in the database is named, and not signed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-audited-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await using shop = await testShop()
  const { db, chain } = shop.deps
  const world = anchoringWorld(db, chain, { now: () => new Date() })
  for (const box of ['a', 'b']) await addBox(db, box)
  const grow = async (...boxes: string[]): Promise<void> => {
    for (const box of boxes) await addRecords(db, box, 2)
    await world.pass()
  }
  await grow('a', 'b')
  await grow('a')
  await followAnchors(logSettings())(world.deps)
  const url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const [log] = await db.select().from(anchorLogs)
  await using witness = await startWitness({
    folder: join(folder, 'witness'),
    log: parseVerifierKey(log?.key ?? ''),
    logUrl: `${url}/befaqt/log`,
    shopUrl: url,
  })
  await witness.until(/signed 2 entries/)
  const policy = policyOf(`witness w ${verifierKeyText(ed25519Of(witness))} ${witness.url}`)
  const calls = witnessCalls(policy, AT_ONCE)
  const ask = async (): Promise<void> => {
    await followAnchors({ ...logSettings(), witnesses: calls })(world.deps)
    await calls.settled()
  }
  await ask()
  assert.deepEqual(await faultsIn(db), [null])

  await rows(db, sql`update boxes set head = repeat('cd', 32) where id = 'a'`)
  await grow('a', 'b')
  await ask()
  await witness.until(
    /anchor 2 does not add up: Box a grew from 4 records to 6, and its head does not follow/,
  )
  await ask()
  assert.match((await faultsIn(db))[0] ?? '', /does not add up/)
  assert.equal((await db.select().from(anchorLogs))[0]?.fault ?? null, null, 'signing goes on')
  await calls.stop()
})

test('a witness that has yet to look is no fault for a quarter of an hour, and named from then on', async () => {
  await using database = await testDb()
  const { db } = database
  let nowMs = Date.now()
  const world = anchoringWorld(db, await embeddedChain(), { now: () => new Date(nowMs) })
  await addBox(db, 'a')
  await using busy = await liar()
  busy.answer = () => ({ status: 503, body: '' })
  const policy = policyOf(`witness w ${verifierKeyText(busy.key)} ${busy.url}`)
  const calls = witnessCalls(policy, { timeoutMs: AT_ONCE.timeoutMs })
  const after = async (minutes: number) => {
    nowMs += minutes * 60_000
    await addRecords(db, 'a', 1)
    await world.pass()
    await followAnchors({ ...logSettings(), witnesses: calls })(world.deps)
    await calls.settled()
    return faultsIn(db)
  }
  assert.deepEqual(await after(0), [])
  assert.deepEqual(await after(14), [])
  assert.deepEqual(await after(2), ['It has not looked at this yet.'])
  busy.answer = (request) => ({ status: 200, body: busy.sign(request, Math.floor(nowMs / 1000)) })
  assert.deepEqual(await after(1), [null])
  busy.answer = () => ({ status: 503, body: '' })
  assert.deepEqual(await after(1), [null], 'anew')
  await calls.stop()
})
