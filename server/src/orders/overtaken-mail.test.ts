import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ComplaintInput } from '@befaqt/domain/api/complaint-api'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { noticeTargets } from '#server/db/schema/excursions.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { packedOrder, said, spoilt } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, shopWithOrders } from '#server/testing/orders.ts'
import { refusal, smtpServer } from '#server/testing/smtp-server.ts'
import { letterReader } from '#server/testing/storm/letters.ts'

const silent = { warn: () => undefined, error: () => undefined }

/** A shop whose mail server is busy, so that what is queued first is sent last. */
async function shopWithBusyMail(options: Parameters<typeof shopWithOrders>[0]) {
  await using opened = new AsyncDisposableStack()
  let busy = true
  const smtp = opened.use(await smtpServer(undefined, () => (busy ? refusal(451, 'Try again later') : null)))
  const shop = opened.use(await shopWithOrders({ ...options, env: { SMTP_URL: smtp.url } }))
  const letters = letterReader(smtp.mails)
  const send = () =>
    runDueJobs(shop.deps.db, interactiveJobs(shop.deps), silent, new AbortController().signal)
  const all = opened.move()
  return {
    ...shop,
    /** What is queued fails, and is tried again later. */
    fail: send,
    beBusy: () => {
      busy = true
    },
    /** The mail server takes emails again: what was not tried yet, and then the rest. Which ones it took. */
    taken: async () => {
      busy = false
      await send()
      await rows(shop.deps.db, sql`update jobs set run_at = now() where queue = ${MAIL_QUEUE}`)
      await send()
      return (await letters()).map(({ kind }) => kind)
    },
    letters,
    left: () => shop.deps.db.$count(sql`jobs`, sql`queue = ${MAIL_QUEUE}`),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

for (const [name, open] of testDatabases) {
  test(`${name}: emails of an order that wait for another try are not sent after that it was cancelled`, async () => {
    await using shop = await shopWithBusyMail({ open })
    const { _id } = await shop.placed({ snapper: 1 })
    const lines = [{ position: 1, grams: 1_000 }]
    await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })
    await moved(shop, _id, 'PACKED')
    await moved(shop, _id, 'READY')
    await shop.fail()
    await moved(shop, _id, 'CANCELLED', { reason: 'The fridge broke.' })
    assert.deepEqual(await shop.taken(), ['cancelled'])
    assert.equal(await shop.left(), 0)
  })

  test(`${name}: of two new times of an order only the one that holds is told, however late`, async () => {
    await using shop = await shopWithBusyMail({ open })
    const { _id } = await shop.placed({ snapper: 1 })
    const [first, second] = [await shop.newSlot({}), await shop.newSlot({})]
    await shop.admin('PUT', `/api/order/${_id}/slot`, { slot: first })
    await shop.fail()
    await shop.admin('PUT', `/api/order/${_id}/slot`, { slot: second })
    assert.deepEqual(await shop.taken(), ['moved', 'placed'])
  })

  test(`${name}: what was not sent yet of an order that its buyer changed is told by one email, which asks what the first did`, async () => {
    await using shop = await shopWithBusyMail({ open })
    const { _id, link } = await shop.placed({ snapper: 1 })
    const amend = async (version: number, quantity: number) => {
      const reply = await shop.app.inject({
        method: 'POST',
        url: `/api/order/${_id}/amendment${new URL(link).search}`,
        headers: { 'idempotency-key': `${_id} ${version}` },
        payload: { version, lines: [{ position: 1, quantity }] },
      })
      assert.equal(reply.statusCode, 200, reply.body)
    }
    await shop.fail()
    await amend(1, 2)
    await shop.fail()
    await amend(2, 3)
    assert.deepEqual(await shop.taken(), ['amended'])
    assert.equal(await shop.left(), 0)
    const [letter] = await shop.letters()
    assert.match(letter?.text ?? '', /Snapper: 3 kg instead of 2 kg\./)
    assert.match(letter?.text ?? '', /about 3 kg at \$30\.00\/kg/)
    assert.match(letter?.text ?? '', /confirm=/)
  })

  test(`${name}: emails about a complaint that was taken back are not sent; that somebody has to look at a box is`, async () => {
    await using shop = await shopWithBusyMail({ open })
    const address = 'shop@example.org'
    await shop.deps.db.insert(noticeTargets).values({ id: 't', kind: 'email', address, createdBy: 'admin' })
    const subjectsAfter = async (wrong: ComplaintInput['wrong']): Promise<string[]> => {
      const order = await packedOrder(shop)
      const { _id } = await said(shop, order, { ...spoilt, wrong })
      await shop.fail()
      const url = `${order.path}/complaint/${_id}${order.query}`
      const reply = await shop.app.inject({ method: 'POST', url, payload: { act: 'withdraw' } })
      assert.equal(reply.statusCode, 200, reply.body)
      await shop.taken()
      shop.beBusy()
      const letters = await shop.letters()
      return letters.flatMap(({ subject }) => (subject.endsWith(`order ${order.number}`) ? subject : []))
    }
    const isNews = (subject: string) => /message about|something is wrong/.test(subject)
    assert.deepEqual((await subjectsAfter(['missing'])).filter(isNews), [])
    const [first, ...more] = (await subjectsAfter(['not-fresh'])).filter(isNews)
    assert.match(first ?? '', /something is wrong with order/)
    assert.deepEqual(more, [])
  })

  test(`${name}: of two answers to a complaint the one whose promise holds is sent, and says that another does not`, async () => {
    await using shop = await shopWithBusyMail({ open })
    const { _id } = await said(shop, await packedOrder(shop))
    const answer = async (words: string, refund: number) => {
      const reply = await shop.admin('PATCH', `/api/complaint/${_id}`, { act: 'answer', words, refund })
      assert.equal(reply.statusCode, 200, reply.body)
    }
    await answer('All of it.', 3_000)
    await shop.fail()
    await answer('The photo is of another fish.', 0)
    await shop.taken()
    const answers = (await shop.letters()).filter(({ subject }) => /^Our answer/.test(subject))
    assert.deepEqual(answers.length, 1)
    assert.match(answers[0]?.text ?? '', /another fish.*\$30\.00 that we promised before are not given back/s)
  })
}
