import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { grown, testConsumer } from '#server/testing/consumer.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type Database, rows } from './client.ts'
import { consumerStates, nameOthers } from './consume.ts'
import { eventRetention } from './events.ts'
import { purge } from './retention.ts'
import { events } from './schema/events.ts'

/** Has all events that there are happen so many days ago. */
const aged = ({ db }: Pick<Database, 'db'>, days: number) =>
  rows(db, sql`update events set at = now() - ${days} * interval '24 hours'`)

for (const [name, open] of testDatabases) {
  test(`${name}: old events are kept for a consumer that has not come to them, until a bound`, async () => {
    await using t = await open()
    const at = await testConsumer(t)
    await at.all()
    await grown(t, 'A', 'B')
    await at.all()
    await grown(t, 'C')
    await (await testConsumer(t, undefined, 'ahead')).all()
    const left = async () =>
      (await rows<{ box: string }>(t.db, sql`select keys[1] as box from events order by number`)).map(
        ({ box }) => box,
      )
    await aged(t, 40)
    await purge(t.db, new Date(), eventRetention)
    assert.deepEqual(await left(), ['C'])
    await aged(t, 91)
    await purge(t.db, new Date(), eventRetention)
    assert.deepEqual(await left(), [])
    await at.all()
    assert.equal(at.startedOver.length, 2)
  })

  test(`${name}: nothing waits for a consumer that no process has, and one that returns goes on where it was`, async () => {
    await using t = await open()
    const gone = await testConsumer(t, undefined, 'gone')
    const used = await testConsumer(t, undefined, 'used')
    const warned: unknown[] = []
    const others = async () => {
      await nameOthers(t.db, { warn: (details: unknown) => void warned.push(details) }, [used.consumer])
      return warned.splice(0).map((details) => (details as { consumer: string }).consumer)
    }
    await Promise.all([gone.all(), used.all()])
    assert.deepEqual(await others(), ['gone'])
    await grown(t, 'OLD')
    await used.all()
    await aged(t, 40)
    await grown(t, 'A', 'B')
    const behind = async () => (await consumerStates(t.db)).map((one) => [one.name, one.behind])
    const unseen = (days: number) =>
      rows(
        t.db,
        sql`update event_consumers set seen_at = now() - ${days} * interval '24 hours' where name = 'gone'`,
      )
    await unseen(6)
    await used.all()
    await purge(t.db, new Date(), eventRetention)
    assert.equal(await t.db.$count(events), 3, 'in its first week the events are kept for it')
    assert.deepEqual(await behind(), [
      ['gone', 3],
      ['used', 0],
    ])
    await unseen(20)
    assert.deepEqual(await behind(), [['used', 0]])
    await gone.all()
    assert.deepEqual([await gone.done(), gone.startedOver.length], [['OLD', 'A', 'B'], 1])
    assert.deepEqual((await behind()).length, 2, 'it is seen again')

    await grown(t, 'C')
    await used.all()
    await unseen(8)
    await purge(t.db, new Date(), eventRetention)
    assert.equal(await t.db.$count(events), 3, 'afterwards they go after 30 days')
    await gone.all()
    assert.deepEqual([await gone.done(), gone.startedOver.length], [['OLD', 'A', 'B', 'C'], 1])

    await unseen(91)
    await purge(t.db, new Date(), eventRetention)
    assert.deepEqual(await others(), [])
    await grown(t, 'D')
    await gone.all()
    assert.deepEqual(
      [await gone.done(), gone.startedOver.length],
      [['OLD', 'A', 'B', 'C'], 2],
      'it begins anew',
    )
    await grown(t, 'E')
    await gone.all()
    assert.deepEqual(await gone.done(), ['OLD', 'A', 'B', 'C', 'E'])
  })
}
