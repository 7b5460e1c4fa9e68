import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fromHex, genesisHead, headAfter, toHex } from '@befaqt/provenance'
import { EMPTY, loadPaths, MapNodes, proveBox, updateMap } from '@befaqt/provenance/box-map'
import { asc, eq } from 'drizzle-orm'
import { embeddedChain } from '#server/chain/embedded.ts'
import type { Db } from '#server/db/client.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { assertContinued, logSettings } from '#server/testing/anchor-log.ts'
import { anchoringWorld, hashesAndBlocks } from '#server/testing/anchoring.ts'
import { nodesIn } from './box-map.ts'
import { logDifferences } from './log/log-rows.ts'
import { followAnchors } from './log/sign-log.ts'

/** `KILLS=100 npm test -- server/src/anchoring/kill` for more. */
const KILLS = Number(process.env.KILLS ?? 12)
const victim = fileURLToPath(new URL('../testing/anchor-until-killed.ts', import.meta.url))

type Told =
  | { box: string; count: number }
  | { index: number; root: string; txHash: string; blockNumber: number; blockTime: number }
  | { size: number; note: string }

/**
 * Runs the victim until it has told `lines` lines and has confirmed anchor number `anchor`, kills it in the middle of
 * what it does, and answers what it told.
 */
async function runAndKill(folder: string, lines: number, anchor: number): Promise<Told[]> {
  const child = spawn(process.execPath, [victim, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const told: Told[] = []
  for await (const line of createInterface(child.stdout)) {
    told.push(JSON.parse(line))
    if (told.length >= lines && newestOf(told) >= anchor) child.kill('SIGKILL')
  }
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  return told
}

const newestOf = (told: Told[]): number =>
  told.reduce((newest, line) => ('index' in line ? Math.max(newest, line.index) : newest), -1)

test(`${KILLS} kills at random moments: no acknowledged record lost, no root twice, the same hashes afterwards`, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-kill-'))
  const told: Told[] = []
  // every second one is killed at any moment, the others once they anchored twice, so that chance alone doesn't decide
  for (let i = 0; i < KILLS; i++) {
    const anchor = i % 2 === 0 ? -1 : newestOf(told) + 2
    told.push(...(await runAndKill(folder, 1 + Math.floor(Math.random() * 30), anchor)))
  }

  const database = await openEmbedded(folder)
  t.after(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  const chain = await embeddedChain()
  const world = anchoringWorld(database.db, chain, { now: () => new Date() })
  assert.equal(await world.pass(), 'idle')
  const anchors = await world.anchors()
  t.diagnostic(`${told.length} lines told, ${anchors.length} anchors`)

  for (const line of told) {
    if ('box' in line)
      assert.ok((await countOf(database.db, line.box)) >= line.count, `${line.box} lost records`)
    else if ('index' in line) assert.deepEqual(pick(anchors[line.index]), line, 'a confirmed anchor changed')
  }
  await historiesAreWhole(database.db)
  assert.ok(anchors.length >= 2 * Math.floor(KILLS / 2), 'the kills met anchoring at work')
  assert.deepEqual(
    anchors.map(({ index, state }) => [index, state]),
    anchors.map((_, i) => [i, 'confirmed']),
  )
  assert.equal(new Set(anchors.map(({ root }) => root)).size, anchors.length)
  const contract = (await world.ledger()).contract
  assert.equal(await chain.anchorCount(contract), anchors.length)
  for (const { index, root } of anchors) assert.equal((await chain.anchorOf(contract, index))?.root, root)
  const root = anchors.at(-1)?.root ?? ''
  const all = await database.db.select().from(boxes)
  const ids = all.map(({ id }) => id)
  const nodes = await loadPaths(nodesIn(database.db), root, ids)
  const states = all.map(({ id: box, count, head, sealed }) => ({ box, count, head, sealed }))
  for (const state of states)
    assert.deepEqual(proveBox(nodes, root, state.box).leaf, state, 'all is anchored')
  assert.deepEqual(updateMap(new MapNodes(), EMPTY, states).root, root, 'the map is that of these boxes')

  await followAnchors(logSettings(folder))(world.deps)
  const shown = told.flatMap((line) => ('note' in line ? [line.note] : []))
  t.diagnostic(`${shown.length} checkpoints`)
  await assertContinued(database.db, shown)
  assert.equal((await assertContinued(database.db)).at(-1)?.size, anchors.length)
  assert.deepEqual(await logDifferences(database.db), [])

  const before = await hashesAndBlocks(database.db)
  const again = await embeddedChain()
  await world.restarted(again).pass()
  assert.deepEqual(await hashesAndBlocks(database.db), before)
  const [first] = anchors
  assert.equal((await again.receipt(first?.txHash as `0x${string}`))?.blockNumber, first?.blockNumber)
})

const pick = (
  anchor: Awaited<ReturnType<ReturnType<typeof anchoringWorld>['anchors']>>[number] | undefined,
) =>
  anchor && {
    index: anchor.index,
    root: anchor.root,
    txHash: anchor.txHash,
    blockNumber: anchor.blockNumber,
    blockTime: anchor.blockTime,
  }

const countOf = async (db: Db, id: string): Promise<number> =>
  (await db.select().from(boxes).where(eq(boxes.id, id)))[0]?.count ?? 0

/** Every box has its records 1 … count, and its head is the one they give. */
async function historiesAreWhole(db: Db): Promise<void> {
  for (const box of await db.select().from(boxes)) {
    const history = await db.select().from(records).where(eq(records.boxId, box.id)).orderBy(asc(records.seq))
    assert.deepEqual(
      history.map(({ seq }) => seq),
      Array.from({ length: box.count }, (_, i) => i + 1),
    )
    const head = history.reduce(
      (before, { recordHash }) => headAfter(before, fromHex(recordHash)),
      genesisHead(box.id),
    )
    assert.equal(toHex(head), box.head)
  }
}
