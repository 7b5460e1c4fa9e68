import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, shopWithOrders } from '#server/testing/orders.ts'
import { refusal, smtpServer } from '#server/testing/smtp-server.ts'

const silent = { warn: () => undefined, error: () => undefined }
const URL = '/api/box/BOX-1/recall'
const EAT_NOT = 'Do not eat it'
const WITHDRAWN = 'was withdrawn'

/**
 * A shop with an order packed from a box, and a mail server that can be busy (it rejects for now) or slow (it waits for
 * `go` before it takes a recipient).
 */
async function shopWithMail(open: Parameters<typeof shopWithOrders>[0]) {
  await using opened = new AsyncDisposableStack()
  const server = {
    busy: false,
    slow: false,
    go: Promise.withResolvers<void>(),
    asked: Promise.withResolvers<void>(),
  }
  const smtp = opened.use(
    await smtpServer(
      undefined,
      () => (server.busy ? refusal(451, 'Try again later') : null),
      async () => {
        if (!server.slow) return
        server.asked.resolve()
        await server.go.promise
      },
    ),
  )
  const shop = opened.use(await shopWithOrders({ ...open, env: { SMTP_URL: smtp.url } }))
  const { admin, deps } = shop
  await admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher: sampleBox().fisher })
  await admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'BOX-1', quantity: 20 }])
  const { _id } = await shop.placed({ snapper: 1 })
  const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 1_000 }] }]
  assert.equal((await admin('PUT', `/api/order/${_id}/packing`, { lines })).statusCode, 200)
  await moved(shop, _id, 'PACKED')
  /** Sends what is due, and what waits to be tried again. */
  const send = async () => {
    await rows(deps.db, sql`update jobs set run_at = now() where queue = ${MAIL_QUEUE} and failed_at is null`)
    await runDueJobs(deps.db, interactiveJobs(deps), silent, new AbortController().signal)
  }
  /** What the mail server took about recalls, in that order. */
  const taken = () =>
    smtp.mails.flatMap(({ raw }) => {
      const text = raw.toString()
      return [EAT_NOT, WITHDRAWN].filter((words) => text.replaceAll(/=\r?\n/g, '').includes(words))
    })
  const queued = () =>
    rows<{ kind: string }>(
      deps.db,
      sql`select payload->>'kind' as kind from jobs where queue = ${MAIL_QUEUE} and payload->>'kind' like 'order-recall%'`,
    ).then((found) => found.map(({ kind }) => kind))
  const recall = async () => assert.equal((await admin('POST', URL, { reason: 'Too warm' })).statusCode, 200)
  const withdraw = async () =>
    assert.equal(
      (await admin('POST', `${URL}/withdrawal`, { reason: 'The sensor was wrong' })).statusCode,
      200,
    )
  await send()
  const all = opened.move()
  return {
    id: _id,
    server,
    send,
    taken,
    queued,
    recall,
    withdraw,
    shop,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

for (const [name, open] of testDatabases) {
  test(`${name}: a recall that is withdrawn while its email is tried again sends neither`, async () => {
    await using t = await shopWithMail({ open })
    t.server.busy = true
    await t.recall()
    await t.send()
    assert.deepEqual([await t.queued(), t.taken()], [['order-recalled'], []])
    await t.withdraw()
    assert.deepEqual(
      await t.queued(),
      [],
      'withdrawn with the recall, and nobody is told of what nobody was told',
    )
    t.server.busy = false
    await t.send()
    assert.deepEqual(t.taken(), [])
    await t.recall()
    await t.send()
    await t.withdraw()
    await t.send()
    assert.deepEqual(t.taken(), [EAT_NOT, WITHDRAWN])
  })

  test(`${name}: withdrawn while the mail server is taking the email, the buyer is told of that after it`, async () => {
    await using t = await shopWithMail({ open })
    t.server.slow = true
    await t.recall()
    const sending = t.send()
    await t.server.asked.promise
    await t.withdraw()
    assert.deepEqual(t.taken(), [])
    t.server.go.resolve()
    await sending
    await t.send()
    assert.deepEqual([t.taken(), await t.queued()], [[EAT_NOT, WITHDRAWN], []])
  })

  test(`${name}: withdrawn while the mail server is about to reject the email, it is not tried again`, async () => {
    await using t = await shopWithMail({ open })
    t.server.slow = true
    t.server.busy = true
    await t.recall()
    const sending = t.send()
    await t.server.asked.promise
    await t.withdraw()
    t.server.go.resolve()
    await sending
    t.server.busy = false
    await t.send()
    assert.deepEqual([t.taken(), await t.queued()], [[], []])
  })

  test(`${name}: recalled again before the withdrawal was sent, that one is not sent, and one withdrawal ends both`, async () => {
    await using t = await shopWithMail({ open })
    await t.recall()
    await t.send()
    t.server.busy = true
    await t.withdraw()
    await t.send()
    assert.deepEqual(await t.queued(), ['order-recall-withdrawn'])
    await t.recall()
    assert.deepEqual(await t.queued(), ['order-recalled'])
    await t.withdraw()
    t.server.busy = false
    await t.send()
    assert.deepEqual(t.taken(), [EAT_NOT, WITHDRAWN], 'told by the first, though not by the second')
  })

  test(`${name}: recalled again while the mail server takes the withdrawal, what comes last is the recall`, async () => {
    await using t = await shopWithMail({ open })
    await t.recall()
    await t.send()
    await t.withdraw()
    t.server.slow = true
    const sending = t.send()
    await t.server.asked.promise
    await t.recall()
    t.server.go.resolve()
    await sending
    await t.send()
    assert.deepEqual(t.taken().at(-1), EAT_NOT)
    await moved(t.shop, t.id, 'CANCELLED', { reason: 'Recalled' })
    await t.withdraw()
    await t.send()
    assert.deepEqual(t.taken().at(-1), WITHDRAWN, 'also who has nothing of it any more')
    assert.deepEqual(await t.queued(), [])
  })
}
