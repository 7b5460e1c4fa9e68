import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { FIRST, jcsStatementText } from '@befaqt/provenance/signed/statement'
import { type TestDb, testDatabases } from '#server/testing/database.ts'
import { historyOf, keyFor, NOW, shopWithBoxes } from '#server/testing/readings.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { enrolled, hexOf, loggerMessage, phoneReading } from '#server/testing/signed-readings.ts'

/** Readings come a quarter of an hour after the devices of these tests were registered. */
const AFTERWARDS = new Date(NOW.getTime() + 900_000)
const soon = (i: number) => 84 + i / 60

async function openShop(open: () => Promise<TestDb>) {
  const shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { open, deps: { now: () => NOW } })
  const [logger, phone] = [await enrolled(shop.admin), await enrolled(shop.admin, 'gateway')]
  shop.deps.now = () => AFTERWARDS
  return { shop, logger, phone, key: await keyFor(shop, 'record:write') }
}

async function send({ app }: Pick<TestShop, 'app'>, key: string, readings: readonly unknown[]) {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await app.inject({ method: 'POST', url: '/api/tracking', payload: { readings }, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  const { accepted, duplicates, refused } = answer.json()
  return {
    accepted,
    duplicates,
    refused: refused.map(({ index, path }: { index: number; path: string }) => [index, path]),
  }
}

/** Statements of a logger, each after the one before. */
function chain(signer: Parameters<typeof loggerMessage>[0], count: number): Uint8Array[] {
  let prev = FIRST
  return Array.from({ length: count }, (_, i) => {
    const bytes = loggerMessage(signer, i + 1, soon(i), {}, prev)
    prev = hash('sha256', bytes)
    return bytes
  })
}

const cose = (bytes: Uint8Array) => ({ cose: hexOf(bytes) })

for (const [name, open] of testDatabases)
  test(`${name}: chained statements are taken in any order, once, and kept as they were sent`, async () => {
    const { shop, logger, phone, key } = await openShop(open)
    await using _ = shop
    const sent = chain(logger, 8)
    const order = [3, 0, 1, 7, 2, 6, 5, 4].flatMap((i) => sent[i] ?? [])
    for (const part of [order.slice(0, 1), order.slice(1, 4), order.slice(4)])
      assert.deepEqual(await send(shop, key, part.map(cose)), {
        accepted: part.length,
        duplicates: 0,
        refused: [],
      })
    assert.deepEqual(await send(shop, key, sent.map(cose)), { accepted: 0, duplicates: 8, refused: [] })
    const first = phoneReading(phone, 5, soon(1), {}, FIRST)
    const { box, key: by, counter, signature: _signature, prev, ...reading } = first
    const text = jcsStatementText(reading, { key: by, counter, box, prev })
    const second = phoneReading(phone, 6, soon(2), {}, hash('sha256', text))
    assert.equal((await send(shop, key, [second, first])).accepted, 2)
    const history = await historyOf(shop.deps.db, 'BOX-1')
    const kept = history.flatMap(({ data: { signed } }) =>
      signed ? [signed as Record<string, unknown>] : [],
    )
    assert.deepEqual(
      kept.slice(0, 8).map(({ bytes }) => bytes),
      order.map(hexOf),
    )
    assert.equal(kept.at(-1)?.text, text)
  })

for (const [name, open] of testDatabases)
  test(`${name}: what goes on from a statement that another goes on from is refused, by the name of the field`, async () => {
    const { shop, logger, phone, key } = await openShop(open)
    await using _ = shop
    const sent = chain(logger, 4)
    const [one, two, three, four] = sent
    assert.ok(one && two && three && four)
    assert.equal((await send(shop, key, [one, two, four].map(cose))).accepted, 3)
    const from = (before: Uint8Array, counter: number, more = {}) =>
      cose(loggerMessage(logger, counter, soon(counter), more, hash('sha256', before)))
    const forks = [from(one, 9), from(one, 2, { temperature: 9 }), from(three, 8)]
    assert.deepEqual((await send(shop, key, forks)).refused, [
      [0, 'prev'],
      [1, 'counter'],
      [2, 'prev'],
    ])
    const together = [from(four, 5), from(four, 6), cose(three)]
    assert.deepEqual(await send(shop, key, together), { accepted: 2, duplicates: 0, refused: [[1, 'prev']] })
    const anew = [7, 8].map((counter) => cose(loggerMessage(logger, counter, soon(counter), {}, FIRST)))
    assert.equal((await send(shop, key, anew)).accepted, 2, 'a device may lose its state again and again')
    const elsewhere = cose(loggerMessage(logger, 9, soon(9), { box: 'BOX-2' }, hash('sha256', one)))
    assert.equal((await send(shop, key, [elsewhere])).accepted, 1, 'of another box it is another chain')
    const before = phoneReading(phone, 1, soon(1))
    const older = [before, cose(loggerMessage(logger, 30, soon(10)))]
    assert.equal((await send(shop, key, older)).accepted, 2, 'the older form is taken as before')
    const wrong = { ...phoneReading(phone, 2, soon(2), {}, FIRST), prev: 'ab' }
    const changed = { ...phoneReading(phone, 3, soon(3), {}, FIRST), prev: 'ab'.repeat(32) }
    const refused = await send(shop, key, [
      wrong,
      changed,
      cose(loggerMessage(logger, 31, soon(11), {}, 'ab')),
    ])
    assert.deepEqual(refused.refused, [
      [0, 'prev'],
      [1, 'signature'],
      [2, 'protected'],
    ])
  })

for (const [name, open] of testDatabases)
  test(`${name}: of two statements that go on from one and come to two processes at once, one is kept`, async () => {
    const { shop, logger, key } = await openShop(open)
    await using _ = shop
    const { deps } = shop
    const same = async () => ({ ...shop.database, [Symbol.asyncDispose]: async () => undefined })
    await using other = await testShop({ open: same, deps: { now: () => AFTERWARDS } })
    let prev = FIRST
    for (let round = 0; round < 8; round++) {
      const [counter, at] = [10 * (round + 1), prev]
      const rivals = [0, 1].map((i) =>
        loggerMessage(logger, counter + i, soon(round), { temperature: i }, at),
      )
      const kept = await Promise.all(
        rivals.map(async (bytes, i) => (await send(i === 0 ? shop : other, key, [cose(bytes)])).accepted),
      )
      if (round > 0) assert.deepEqual(kept.toSorted(), [0, 1], `round ${round}`)
      prev = hash('sha256', rivals[kept.indexOf(1)] ?? new Uint8Array())
    }
    const signed = (await historyOf(deps.db, 'BOX-1')).filter(({ kind }) => kind === 'tracking')
    assert.equal(signed.length, 9, 'two are first')
  })
