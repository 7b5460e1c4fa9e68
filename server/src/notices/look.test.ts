import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { LOOK_QUEUE } from '#server/catalogue/change-catalogue.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { products, stockNotices } from '#server/db/schema/shop.ts'
import { recurringJobs, workersOf } from '#server/job-registry.ts'
import { enqueueNext } from '#server/jobs/recurring.ts'
import { MailRejected } from '#server/mail/mailer.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { testDatabases } from '#server/testing/database.ts'
import { confirm, kinds, noticeShop, setStock, tokenOf } from '#server/testing/notices.ts'
import { snapperBox } from '#server/testing/orders.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: who confirms gets one email when it is back, and never a second for one wish`, async () => {
    await using shop = await noticeShop(open)
    const asked = await shop.ask({ email: 'ann@example.org', product_id: 'snapper' })
    assert.equal(asked.statusCode, 202, asked.body)
    const [mail, ...others] = await shop.post()
    assert.deepEqual([mail?.kind, others.length], ['stock-confirm', 0])
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [], 'not before it is confirmed')
    await setStock(shop, 0)
    for (const time of ['once', 'twice'])
      assert.equal((await confirm(shop, tokenOf(mail))).statusCode, 200, time)
    await shop.look()
    assert.deepEqual(await shop.post(), [], 'there is none')

    await setStock(shop, 5)
    await Promise.all([shop.look(), shop.look()])
    const [back, ...more] = await shop.post()
    assert.deepEqual([back?.kind, back?.to, more.length], ['stock-back', 'ann@example.org', 0])
    assert.equal(back?.subject, 'Snapper is back')
    assert.match(back?.text ?? '', /\/product\/snapper/)
    assert.equal(await shop.deps.db.$count(stockNotices), 0, 'the wish ended with its email')
    await setStock(shop, 0)
    await setStock(shop, 7)
    await shop.look()
    assert.deepEqual(await shop.post(), [])
  })

  test(`${name}: an email whose cause is gone before it is sent is not sent, and comes when there is one again`, async () => {
    await using shop = await noticeShop(open)
    await shop.waitFor('ann@example.org')
    await shop.look()
    await setStock(shop, 5)
    await shop.look()
    await setStock(shop, 0)
    assert.deepEqual(await shop.post(), [])
    assert.equal(await shop.waits(), 1, 'it goes on waiting')
    await shop.look()
    await setStock(shop, 0.2)
    await shop.look()
    assert.deepEqual(await shop.post(), [], 'less than a step can’t be bought')
    await setStock(shop, 3)
    await shop.look()
    await shop.look()
    assert.deepEqual(kinds(await shop.post()), ['stock-back ann@example.org'])
  })

  test(`${name}: what is off sale is not back, and is once that ends, without a change of its stock`, async () => {
    await using shop = await noticeShop(open)
    await shop.waitFor('ann@example.org')
    await snapperBox(shop)
    const sale = async (offSale: boolean) => {
      const reply = await shop.admin('PUT', '/api/box/BOX-1/sale', { offSale, reason: 'Warm on the road' })
      assert.ok(reply.statusCode < 300, reply.body)
    }
    await sale(true)
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [])
    await sale(false)
    await shop.look()
    assert.deepEqual(kinds(await shop.post()), ['stock-back ann@example.org'])
  })

  test(`${name}: a look is enqueued with the change of what somebody waits for, and with no other`, async () => {
    await using shop = await noticeShop(open)
    const { db } = shop.deps
    const looks = () => db.$count(jobs, eq(jobs.queue, LOOK_QUEUE))
    await setStock(shop, 0)
    assert.equal(await looks(), 0, 'nobody waits')
    await shop.waitFor('ann@example.org')
    await shop.look()
    assert.equal((await shop.admin('PATCH', '/api/product/ice', { stock: 5 })).statusCode, 200)
    assert.equal(await looks(), 0, 'nobody waits for ice')
    assert.notEqual((await shop.admin('PATCH', '/api/product/snapper', { stock: -1 })).statusCode, 200)
    assert.equal(await looks(), 0)
    await setStock(shop, 5)
    assert.equal(await looks(), 1)
    await shop.look()
    await shop.post()
    await shop.waitFor('bea@example.org', { species: 'oyster' })
    await shop.look()
    assert.equal((await shop.admin('PATCH', '/api/product/ice', { stock: 6 })).statusCode, 200)
    assert.equal(await looks(), 0, 'ice is no oyster')
    assert.equal((await shop.admin('PATCH', '/api/product/ice', { title: 'Oysters' })).statusCode, 200)
    assert.equal(await looks(), 1)
    assert.ok(Object.values(workersOf(shop.deps)).some((handlers) => LOOK_QUEUE in handlers))
  })

  test(`${name}: what no change told of is found by the hourly look`, async () => {
    await using shop = await noticeShop(open)
    await shop.waitFor('ann@example.org')
    await shop.look()
    await shop.deps.db.update(products).set({ stock: 5 })
    await shop.look()
    assert.deepEqual(await shop.post(), [])
    await enqueueNext(shop.deps.db, recurringJobs(shop.deps), new Date())
    await shop.deps.db
      .update(jobs)
      .set({ runAt: new Date(0) })
      .where(eq(jobs.queue, LOOK_QUEUE))
    await shop.look()
    assert.deepEqual(kinds(await shop.post()), ['stock-back ann@example.org'])
  })

  test(`${name}: an email that could not be sent is asked again before its next try, and keeps its wish until it is sent`, async () => {
    await using shop = await noticeShop(open)
    const { db } = shop.deps
    await shop.waitFor('ann@example.org')
    const isDue = () =>
      db
        .update(jobs)
        .set({ runAt: new Date(0) })
        .where(eq(jobs.queue, MAIL_QUEUE))
    shop.server.take = () => Promise.reject(new Error('busy'))
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [])
    await setStock(shop, 0)
    shop.server.take = async () => undefined
    await isDue()
    assert.deepEqual(await shop.post(), [], 'it is gone again')
    assert.deepEqual([await shop.waits(), await db.$count(jobs, eq(jobs.queue, MAIL_QUEUE))], [1, 0])

    shop.server.take = () => Promise.reject(new MailRejected(new Error('no such mailbox')))
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [])
    await shop.look()
    assert.deepEqual([await shop.post(), await shop.waits()], [[], 1], 'refused for good: a manager decides')
  })

  test(`${name}: two workers tell once; one that is killed after its mail server took the email has it shown once`, async () => {
    await using shop = await noticeShop(open)
    const { db } = shop.deps
    for (const email of ['ann@example.org', 'bea@example.org']) await shop.waitFor(email)
    await setStock(shop, 5)
    await shop.look()
    const [one, two] = await Promise.all([shop.post(), shop.post()])
    assert.deepEqual(kinds([...one, ...two]).sort(), [
      'stock-back ann@example.org',
      'stock-back bea@example.org',
    ])

    await setStock(shop, 0)
    await shop.waitFor('cat@example.org')
    await setStock(shop, 5)
    await shop.look()
    const ids: string[] = []
    shop.server.take = async ({ id }) => {
      if (ids.push(id) > 1) return
      await db
        .update(jobs)
        .set({ leasedUntil: new Date(0) })
        .where(eq(jobs.queue, MAIL_QUEUE))
      await shop.post() // another process, when this one has been gone for long
    }
    await shop.post()
    assert.deepEqual([ids.length, new Set(ids).size, await shop.waits()], [2, 1, 0])
    await setStock(shop, 0)
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [])
  })

  test(`${name}: what is recalled, no longer sold or deleted before its email is sent is not told of`, async () => {
    await using shop = await noticeShop(open)
    await snapperBox(shop)
    await shop.waitFor('ann@example.org')
    const queued = async () => {
      await setStock(shop, 5)
      await shop.look()
    }
    await queued()
    const recalled = await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Histamine' })
    assert.ok(recalled.statusCode < 300, recalled.body)
    assert.deepEqual([await shop.post(), await shop.waits()], [[], 1])
    await shop.look()
    assert.deepEqual(await shop.post(), [], 'nor while it is recalled')
    const withdrawn = await shop.admin('POST', '/api/box/BOX-1/recall/withdrawal', { reason: 'No' })
    assert.ok(withdrawn.statusCode < 300, withdrawn.body)
    await shop.look()
    await shop.admin('PATCH', '/api/product/snapper', { status: 'INACTIVE' })
    assert.deepEqual([await shop.post(), await shop.waits()], [[], 1])
    await shop.admin('PATCH', '/api/product/snapper', { status: 'ACTIVE' })
    await shop.look()
    await shop.deps.db.delete(products).where(eq(products.id, 'snapper'))
    assert.deepEqual([await shop.post(), await shop.waits()], [[], 0])
  })
}
