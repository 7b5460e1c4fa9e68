import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weigh } from '@befaqt/provenance/balance'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { caught, factsOf, fieldShop, send, supplier } from '#server/testing/field.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: the weight that is typed with a catch is its record, once, of the time of the catch, and bounds what is sold`, async () => {
    await using shop = await fieldShop({ open })
    const ann = await supplier(shop, 'ann', 'Sample Fisher')
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const entry = caught('ann', 'F-1', { grams: 41_250 })
    const answers = await Promise.all([1, 2, 3].map(() => send(ann, entry)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 201])
    assert.equal(
      (await send(ann, { ...entry, grams: 41_000 })).statusCode,
      422,
      'another weight is another entry',
    )
    const facts = await factsOf(shop, 'F-1')
    assert.deepEqual(
      facts.map(({ kind }) => kind),
      ['registration', 'catch', 'weight'],
    )
    assert.deepEqual(facts[2].data, { of: 'catch', grams: 41_250 })
    assert.equal(facts[2].at, facts[1].at)
    const weighed = (grams: number) => admin('POST', '/api/box/F-1/weight', { of: 'catch', grams })
    assert.equal((await weighed(40_000)).statusCode, 201, 'mended at the desk: the newest counts')
    const { balance } = weigh({ records: await factsOf(shop, 'F-1') })
    assert.deepEqual([balance.total, balance.caught, balance.scale], [40_000, 40_000, null])
    const corrected = await admin('POST', '/api/box/F-1/correction', {
      seq: 3,
      reason: 'Typed wrongly',
      data: {},
    })
    assert.match(corrected.json().error.fields[0].message, /Weigh the box again/)
  })

  test(`${name}: a catch that waits keeps its weight until it is decided; one without has none`, async () => {
    await using shop = await fieldShop({ open })
    const ann = await supplier(shop, 'ann', 'Sample Fisher')
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await send(ann, caught('ann', 'ODD-1', { grams: 9_000 }))
    await send(ann, caught('ann', 'ODD-2'))
    const { claims } = (await admin('GET', '/api/manage/supplier')).json()
    const told = new Map<string, { id: string; caught: { grams: number | null } }>(
      claims.map((claim: { boxID: string }) => [claim.boxID, claim]),
    )
    assert.deepEqual([told.get('ODD-1')?.caught.grams, told.get('ODD-2')?.caught.grams], [9_000, null])
    for (const { id } of told.values())
      assert.equal(
        (await admin('POST', `/api/manage/supplier/claim/${id}`, { confirmed: true })).statusCode,
        200,
      )
    const weights = async (box: string) =>
      (await factsOf(shop, box)).flatMap(({ kind, data }) => (kind === 'weight' ? [data.grams] : []))
    assert.deepEqual([await weights('ODD-1'), await weights('ODD-2')], [[9_000], []])
  })
}

test('nothing, less than that, parts of a gram and ten tonnes are refused by name, and nothing is recorded', async () => {
  await using shop = await fieldShop()
  const ann = await supplier(shop, 'ann', 'Sample Fisher')
  for (const [grams, words] of [
    [0, /at least 1 g/],
    [-5, /at least 1 g/],
    [10_000_000, /at most 1,000 kg/],
    [0.5, /whole grams/],
    ['41', /whole grams/],
    [null, /whole grams/],
  ] as const) {
    const { error } = (await send(ann, caught('ann', 'F-2', { grams }))).json()
    assert.equal(error.code, 'input.invalid')
    const at = error.fields.find(({ path }: { path: string }) => path.endsWith('grams'))
    assert.match(at?.message ?? '', words)
  }
  assert.equal((await shop.app.inject('/api/box/F-2')).statusCode, 404)
})
