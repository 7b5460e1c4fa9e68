import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packedOrder, said, seenComplaints } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, shopWithOrders } from '#server/testing/orders.ts'

for (const [name, open] of testDatabases)
  test(`${name}: a cancelled order is given back as a whole, so nothing of it is promised or given back besides`, async () => {
    await using shop = await shopWithOrders({ open })
    const order = await packedOrder(shop)
    const { _id: id } = await said(shop, order)
    const decide = (decision: object) => shop.admin('PATCH', `/api/complaint/${id}`, decision)
    const promised = await decide({ act: 'answer', words: 'We are sorry.', refund: 3_000 })
    assert.equal(promised.statusCode, 200, promised.body)
    await moved(shop, order.id, 'CANCELLED')
    const [managed] = (await shop.admin('GET', `${order.path}/complaint/manage`)).json()
    assert.equal(managed.most, 0)
    const [seen] = (await seenComplaints(shop, order)).complaints
    const [row] = (await shop.admin('GET', '/api/complaint')).json().rows
    assert.deepEqual([managed.promised, seen?.promised, row.promised], [null, null, null], 'nor is it shown')
    assert.ok(!managed.acts.includes('record refund'), managed.acts.join(', '))
    const given = await decide({ act: 'record refund', way: 'bank' })
    assert.deepEqual([given.statusCode, given.json().error.code], [409, 'conflict'], given.body)
    const more = await decide({ act: 'answer', words: 'Sorry.', refund: 1 })
    assert.deepEqual([more.statusCode, more.json().error.fields[0].path], [400, 'refund'], more.body)
    const ended = await decide({ act: 'answer', words: 'It is cancelled.', refund: 0 })
    assert.equal(ended.statusCode, 200, ended.body)
    assert.ok(!ended.json().promised, ended.body)
  })
