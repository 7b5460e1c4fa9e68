import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from '@befaqt/provenance/digest'
import { parseOts } from '@befaqt/provenance/evidence/ots'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote } from '@befaqt/provenance/log/note'
import { withOpenssl } from '@befaqt/provenance/testing/authority'
import type { Db } from '#server/db/client.ts'
import { logStamps } from '#server/db/schema/anchor-log.ts'
import { testShop } from '#server/testing/shop.ts'
import { stampingShop } from '#server/testing/stamps.ts'
import { hourlyStamps, STAMP_QUEUE, stampJob } from './stamp-job.ts'

const PUBLIC_URL = 'https://fish.example'

test(
  'whoever asks gets the list, the note as it was stamped, and what others said of it',
  withOpenssl,
  async () => {
    await using shop = await testShop()
    const get = (path: string) =>
      shop.app.inject({ url: `/befaqt/log/stamps${path}`, headers: { origin: 'https://court.example' } })
    assert.deepEqual((await get('')).json(), { stamps: [], before: null })
    await using stamping = await stampingShop(shop.deps.db)
    await stamping.hour()
    const list = await get('')
    assert.equal(list.headers['access-control-allow-origin'], '*')
    const [{ day, origin, size, tsr, ots }] = list.json().stamps
    assert.deepEqual([origin, size, tsr.by, ots], ['fish.example/befaqt/log', 1, 'Sample rsa', 'pending'])
    const note = await get(`/${day}.note`)
    assert.equal(note.headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(parseCheckpoint(parseNote(note.body).text).size, 1)
    const token = await get(`/${day}.tsr`)
    assert.equal(token.headers['content-type'], 'application/timestamp-reply')
    assert.match(String(token.headers['cache-control']), /immutable/)
    assert.equal(token.headers['access-control-allow-origin'], '*')
    assert.equal(await stamping.authority.isTaken(new Uint8Array(token.rawPayload), note.rawPayload), true)
    const proof = await get(`/${day}.ots`)
    assert.equal(proof.headers['cache-control'], 'no-cache', 'it changes until a block attests it')
    assert.deepEqual([...parseOts(new Uint8Array(proof.rawPayload)).message], [...hashOf(note.rawPayload)])
    await stamping.day()
    stamping.calendars[0]?.mine(920_001)
    await stamping.hour()
    const [done] = (await get('')).json().stamps
    assert.equal(done.ots, 'complete')
    assert.match(String((await get(`/${done.day}.ots`)).headers['cache-control']), /immutable/)
    for (const path of [`/${day}.pdf`, '/x.tsr', '/2020-01-01.tsr', `/${day}.tsr.tsr`, '/%2e%2e'])
      assert.equal((await get(path)).statusCode, 404, path)
    assert.equal((await get('?before=yesterday')).statusCode, 400)

    const older = Array.from({ length: 400 }, (_, i) => ({
      day: new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
      origin: 'fish.example/befaqt/log',
      size: 1_000 + i,
      ots: Buffer.from('x'),
    }))
    await shop.deps.db.insert(logStamps).values(older)
    await shop.deps.db.insert(logStamps).values({ day: '2020-02-02', origin, size: 999 })
    const page = (await get('')).json()
    assert.equal(page.stamps.length, 366)
    const rest = (await get(`?before=${page.before}`)).json()
    assert.deepEqual([rest.stamps.length, rest.before], [35, null], 'what got nothing is not listed')
  },
)

test('nobody is asked where nobody is named', async () => {
  assert.deepEqual(hourlyStamps({ PUBLIC_URL }), [])
  const db = new Proxy({} as Db, { get: () => assert.fail('the database is asked') })
  const fail = (): never => assert.fail('something is told')
  const deps = { db, now: () => new Date(), log: { info: fail, warn: fail }, config: {} }
  await stampJob(deps)({}, new AbortController().signal)
})

test('each hour at the same moment in all processes, and not that of another shop', () => {
  const [mine] = hourlyStamps({ PUBLIC_URL, TIMESTAMP_URL: 'https://time.example' })
  assert.equal(mine?.queue, STAMP_QUEUE)
  const at = mine.next(new Date('2026-11-28T10:00:00Z'))
  for (const moment of [at.getTime() - 3_599_000, at.getTime() - 1])
    assert.deepEqual(mine.next(new Date(moment)), at)
  assert.equal(mine.next(at).getTime() - at.getTime(), 3_600_000)
  const [other] = hourlyStamps({
    PUBLIC_URL: 'https://other.example',
    OPENTIMESTAMPS_URLS: ['https://a.example'],
  })
  assert.notEqual(other?.next(at).getMinutes(), at.getMinutes())
})
