import assert from 'node:assert/strict'
import { fromHex } from '@befaqt/provenance'
import type { Checkpoint } from '@befaqt/provenance/log/checkpoint'
import { parseVerifierKey } from '@befaqt/provenance/log/note'
import { openCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { proveConsistency, readFromTiles, verifyConsistency } from '@befaqt/provenance/log/tree'
import { asc } from 'drizzle-orm'
import { checkpointFile } from '#server/anchoring/log/checkpoint-file.ts'
import { readTiles } from '#server/anchoring/log/log-rows.ts'
import { followAnchors, type LogSettings } from '#server/anchoring/log/sign-log.ts'
import type { Chain } from '#server/chain/port.ts'
import type { Db } from '#server/db/client.ts'
import { anchorLogs, logCheckpoints } from '#server/db/schema/anchor-log.ts'
import { secretsOf } from '#server/secrets/secrets.ts'
import { addBox, addRecords, anchoringWorld } from './anchoring.ts'

/** A log for tests, with the same key each time. @param folder of the file, as beside an embedded database */
export const logSettings = (folder?: string): LogSettings => ({
  origin: 'fish.example/befaqt/log',
  secrets: secretsOf(Buffer.alloc(32, 7)),
  file: folder === undefined ? undefined : checkpointFile(folder),
})

/** Anchors a box of its own, and signs the log that begins with it. */
export async function signFirstAnchor({ db, chain }: { db: Db; chain: Chain }): Promise<void> {
  const world = anchoringWorld(db, chain)
  await addBox(db, 'logged')
  await addRecords(db, 'logged', 1)
  await world.pass()
  await followAnchors(logSettings())(world.deps)
}

/** Witnesses are asked in every pass, and however long they take; one that has yet to look is at fault. */
export const AT_ONCE = { everyS: 0, timeoutMs: 300_000, graceS: 0 }

/** What was signed, the smallest first. */
export const signedIn = (db: Db) => db.select().from(logCheckpoints).orderBy(asc(logCheckpoints.size))

/**
 * Each of these notes is by the log's key, and the newest state of the log continues it.
 * @param notes those that this database holds, where none are given
 */
export async function assertContinued(db: Db, notes?: readonly string[]): Promise<Checkpoint[]> {
  const kept = await signedIn(db)
  const [log] = await db.select().from(anchorLogs)
  const newest = kept.at(-1)
  assert.ok(log !== undefined && newest !== undefined, 'the log is signed')
  const key = parseVerifierKey(log.key)
  const read = readFromTiles(readTiles(db))
  const opened: Checkpoint[] = []
  for (const note of notes ?? kept.map((one) => one.note)) {
    const { checkpoint } = await openCheckpoint(note, [key], [])
    const proof = await proveConsistency(checkpoint.size, newest.size, read)
    const [before, now] = [checkpoint, newest]
    assert.ok(
      verifyConsistency([before.size, before.root], [now.size, fromHex(now.root)], proof),
      `the log continues what was signed of ${checkpoint.size} anchors`,
    )
    opened.push(checkpoint)
  }
  return opened
}
