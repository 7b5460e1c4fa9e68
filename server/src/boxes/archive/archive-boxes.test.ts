import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { exportAnchors } from '@befaqt/provenance/export-anchors'
import { anchorFileText } from '@befaqt/provenance/file-ledger'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { fetchFrom } from '#server/chain/verifier-ledger.ts'
import { rows } from '#server/db/client.ts'
import { boxArchives } from '#server/db/schema/archives.ts'
import { fileJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { SEASON, shopWithOldBoxes } from '#server/testing/archives.ts'
import { testDatabases, testDb } from '#server/testing/database.ts'
import { openS3 } from '#server/testing/s3.ts'
import { ARCHIVE_QUEUE, type ArchivingDeps, archiveBoxesJob } from './archive-boxes.ts'
import { readArchivedProof, sha256Of } from './archive-file.ts'

const never = new AbortController().signal
const silent = { warn: assert.fail, error: assert.fail }
const run = (deps: ArchivingDeps, atMost?: number) => archiveBoxesJob(deps, atMost)({}, never)
const archives = (deps: Pick<ArchivingDeps, 'db'>) =>
  deps.db.select().from(boxArchives).orderBy(boxArchives.boxId)
const verifier = fileURLToPath(new URL('../../../../provenance/src/cli.ts', import.meta.url))

/** The command that strangers check a file with, which knows neither database nor server. */
async function verified(...args: string[]): Promise<{ status: number | null; printed: string }> {
  const child = spawn(process.execPath, [verifier, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = text(child.stdout)
  const status = await new Promise<number | null>((ended) => child.once('close', ended))
  return { status, printed: await printed }
}

for (const [name, open] of testDatabases) {
  test(`${name}: a box that was sealed a season ago is one file in the store, which verifies by itself`, async () => {
    await using shop = await shopWithOldBoxes(open)
    const { deps } = shop
    const folder = join(deps.config.DATA_DIR, 'files')
    const proof = (await shop.app.inject('/api/box/OLD-1/proof?log=1')).body
    await run(shop.laterBy(SEASON - 1))
    assert.deepEqual(await archives(deps), [], 'the season is not over')
    await run({ ...shop.laterBy(SEASON + 1), config: {} })
    assert.deepEqual(await archives(deps), [], 'it is off')

    await run(shop.laterBy(SEASON + 1))
    const kept = await archives(deps)
    assert.deepEqual(
      kept.map(({ boxId }) => boxId),
      ['OLD-1', 'OLD-2'],
    )
    assert.deepEqual((await readdir(folder)).sort(), kept.map(({ objectKey }) => objectKey).sort())
    const [old] = kept
    assert.ok(old)
    const bytes = await readFile(join(folder, old.objectKey))
    assert.deepEqual([bytes.length, sha256Of(bytes)], [old.bytes, old.sha256])
    assert.ok(old.objectKey.startsWith(old.sha256.slice(0, 32)), 'it is named by what it holds')
    assert.equal(gunzipSync(bytes).toString(), proof, 'exactly what its proof was')
    assert.equal(JSON.parse(proof).records.length, old.records)

    const file = join(deps.config.DATA_DIR, 'a.proof.json.gz')
    await writeFile(file, bytes)
    const { contract } = await deps.ledger.locate()
    const anchors = join(deps.config.DATA_DIR, 'anchors.json')
    await writeFile(
      anchors,
      anchorFileText(
        await exportAnchors('http://chain.invalid', fetchFrom(deps.chain), { contract: contract ?? '' }),
      ),
    )
    const offline = ['--anchors', anchors, '--anchors-from', 'node.other.example']
    const good = await verified(file, ...offline, '--box', 'OLD-1')
    assert.equal(good.status, 0, good.printed)
    assert.match(good.printed, /^Box OLD-1: verified\n/)
    assert.equal((await verified(file, ...offline, '--box', 'OLD-2')).status, 1)
    const changed = JSON.parse(proof)
    changed.records[8].data.temperature -= 5
    await writeFile(file, gzipSync(JSON.stringify(changed)))
    assert.equal((await verified(file, ...offline)).status, 1)
  })

  test(`${name}: however often it is run, by two at once, in parts, or killed at any step: one file of each box, and no other`, async () => {
    await using shop = await shopWithOldBoxes(open)
    const { deps } = shop
    const later = shop.laterBy(SEASON + 1)
    const keys = async () => (await readdir(join(deps.config.DATA_DIR, 'files')).catch(() => [])).sort()
    const killed = async (): Promise<never> => {
      throw new Error('killed')
    }
    await assert.rejects(run({ ...later, files: { ...deps.files, put: killed } }), /killed/)
    const put: typeof deps.files.put = async (...args) => {
      await deps.files.put(...args)
      throw new Error('killed')
    }
    await assert.rejects(run({ ...later, files: { ...deps.files, put } }), /killed/)
    assert.deepEqual([await archives(deps), (await keys()).length], [[], 1])

    await Promise.all([run(later), run(later)])
    const first = await archives(deps)
    assert.equal(first.length, 2)
    await rows(deps.db, sql`update jobs set run_at = now()`)
    await runDueJobs(deps.db, fileJobs(deps), silent, never)
    assert.deepEqual(
      await keys(),
      first.map(({ objectKey }) => objectKey).sort(),
      'what no row names is removed',
    )
    await run(later)
    assert.deepEqual([await archives(deps), (await keys()).length], [first, 2])

    await rows(deps.db, sql`delete from box_archives`)
    await run(later, 1)
    assert.deepEqual(
      (await archives(deps)).map(({ boxId }) => boxId),
      ['OLD-1'],
    )
    const [rest] = await rows<{ payload: object }>(
      deps.db,
      sql`select payload from jobs where queue = ${ARCHIVE_QUEUE}`,
    )
    assert.deepEqual(rest, { payload: { after: 'OLD-1' } })
    await archiveBoxesJob(later, 1)({ after: 'OLD-1' }, never)
    assert.equal((await archives(deps)).length, 2)
  })

  test(`${name}: a box that does not verify, is held back, or whose seal waits for its anchor has no file`, async () => {
    await using shop = await shopWithOldBoxes(open)
    const { db } = shop.deps
    const later = shop.laterBy(SEASON + 1)
    await rows(
      db,
      sql`update records set body = replace(body, '"temperature":2', '"temperature":1') where box_id = 'OLD-1'`,
    )
    await rows(db, sql`update boxes set held_back = true where id = 'OLD-2'`)
    await shop.admin('POST', '/api/box/OPEN-1/seal', {})
    await run(later)
    assert.deepEqual(await archives(shop.deps), [])
    const said = shop.told.filter(({ level }) => level >= 50)
    assert.deepEqual(
      said.map(({ box }) => box),
      ['OLD-1'],
    )
    await rows(db, sql`update boxes set held_back = false`)
    await shop.anchor()
    await run(later)
    assert.deepEqual(
      (await archives(shop.deps)).map(({ boxId }) => boxId),
      ['OLD-2', 'OPEN-1'],
    )
  })
}

test('S3: the same, and a file that is gone or another is refused', async () => {
  await using s3 = await openS3()
  await using shop = await shopWithOldBoxes(testDb, { FILES_URL: s3.url() })
  const { deps } = shop
  await run(shop.laterBy(SEASON + 1))
  const kept = await archives(deps)
  assert.deepEqual(await s3.keys(), kept.map(({ objectKey }) => objectKey).sort())
  const [old] = kept
  assert.ok(old)
  const reading = { files: deps.files, log: pino({ level: 'silent' }) }
  const proof = (await shop.app.inject('/api/box/OLD-1/proof?log=1')).body
  assert.equal(await readArchivedProof(reading, old), proof)
  const bytes = await deps.files.read(old.objectKey)
  assert.ok(bytes)
  const [flipped] = [Buffer.from(bytes)]
  flipped.writeUInt8((flipped[40] ?? 0) ^ 1, 40)
  await deps.files.put(old.objectKey, flipped)
  await assert.rejects(
    readArchivedProof(reading, old),
    /box OLD-1 is kept in a file that is missing or damaged/,
  )
  await deps.files.remove(old.objectKey)
  await assert.rejects(readArchivedProof(reading, old), /box OLD-1/)
})
