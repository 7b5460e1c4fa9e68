import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOpenssl } from '@befaqt/provenance/testing/authority'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { testDatabases } from '#server/testing/database.ts'
import { stampingShop } from '#server/testing/stamps.ts'
import { asksForStamps, sayStamps } from './stamps.ts'

for (const [name, open] of testDatabases)
  test(
    `${name}: the doctor says whether the newest checkpoint is stamped in time, by whom it is not, and what to do`,
    withOpenssl,
    async () => {
      await using database = await open()
      const { db } = database
      await using shop = await stampingShop(db)
      const { config } = shop.deps
      const host = (url = ''): string => new URL(url).host
      const [authority, [first, second]] = [
        host(config.TIMESTAMP_URL),
        config.OPENTIMESTAMPS_URLS?.map(host) ?? [],
      ]
      const said = async (settings: Partial<typeof config> = {}): Promise<string[]> => {
        const found = await db.transaction((tx) => sayStamps(tx, { ...config, ...settings }))
        for (const { level, todo } of found) assert.equal(todo !== undefined, level === 'warning')
        return found.map(({ level, words }) => `${level}: ${words}`)
      }
      const past = (hours: number) =>
        rows(db, sql`update log_checkpoints set created_at = created_at - ${hours} * interval '1 hour'`)
      assert.equal(asksForStamps(config), true)
      assert.equal(asksForStamps({ TIMESTAMP_URL: undefined, OPENTIMESTAMPS_URLS: undefined }), false)

      assert.deepEqual(await said(), [
        `note: Nothing is stamped by the authority at ${authority} yet: it is asked within a day.`,
        `note: Nothing is stamped by the calendars at ${first}, ${second} yet: it is asked within a day.`,
      ])
      await past(27)
      assert.deepEqual(await said(), [
        `warning: A checkpoint of the log of anchors has waited for 27 h to be stamped by the authority at ${authority}; none ever was.`,
        `warning: A checkpoint of the log of anchors has waited for 27 h to be stamped by the calendars at ${first}, ${second}; none ever was.`,
      ])

      shop.authority.instead = (_request, response) => void response.writeHead(500).end()
      await shop.hour()
      const failed = await said()
      assert.match(failed[0] ?? '', new RegExp(`^warning: The authority at ${authority}: .*500`))
      assert.equal(failed.length, 2, 'the calendars did')
      assert.match(failed[1] ?? '', /waited for 27 h to be stamped by the authority/)
      assert.deepEqual(
        (await said({ TIMESTAMP_URL: undefined })).length,
        1,
        'what it said of it is in its row',
      )
      shop.authority.instead = undefined
      await shop.hour()
      const day = new Date().toISOString().slice(0, 10)
      assert.deepEqual(await said(), [
        `ok: The checkpoint of 1 anchors, of ${day}, was stamped by the authority at ${authority}.`,
        `ok: The checkpoint of 1 anchors, of ${day}, was stamped by the calendars at ${first}, ${second}.`,
      ])

      // A log that does not grow needs no other stamp; one that does has a day
      for (let i = 0; i < 3; i++) await shop.day()
      assert.match((await said()).join(), /^ok: .*,ok: /)
      await shop.grow()
      await past(25)
      assert.match((await said()).join(), /^ok: .*,ok: /)
      await past(2)
      const late = await said()
      assert.match(
        late[0] ?? '',
        /has waited for 27 h to be stamped by the authority at .*; the last that was is of 20/,
      )
      assert.equal(late.length, 2)
      await shop.day()
      assert.match(
        (await said()).join('\n'),
        /\nwarning: 1 proofs of calendars are in no block yet, the oldest of 20.* prove nothing/,
      )
      await shop.hour()
      assert.deepEqual((await said()).length, 1, 'that alone is left')
      assert.equal((await said({ OPENTIMESTAMPS_URLS: undefined })).join().startsWith('ok: '), true)
      await rows(db, sql`update log_stamps set is_complete = true`)
      assert.match((await said()).join(), /^ok: The checkpoint of 2 anchors.*,ok: /)
      await rows(db, sql`delete from log_checkpoints`)
      assert.match((await said()).join(), /^note: No checkpoint .* is signed yet/)
    },
  )
