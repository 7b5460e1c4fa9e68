import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, shopWithOrders, snapperBox } from '#server/testing/orders.ts'
import { smtpServer } from '#server/testing/smtp-server.ts'
import { letterReader } from '#server/testing/storm/letters.ts'

const silent = { warn: () => undefined, error: () => undefined }

/** A shop whose emails arrive. `mailed`: the text of the last one of this kind. */
async function shopWithMail(options: Parameters<typeof shopWithOrders>[0]) {
  await using opened = new AsyncDisposableStack()
  const smtp = opened.use(await smtpServer())
  const shop = opened.use(await shopWithOrders({ ...options, env: { SMTP_URL: smtp.url } }))
  const letters = letterReader(smtp.mails)
  const all = opened.move()
  return {
    ...shop,
    mailed: async (kind: string): Promise<string> => {
      await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), silent, new AbortController().signal)
      return (await letters()).findLast((letter) => letter.kind === kind)?.text ?? ''
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const COLD =
  /Snapper: Excellent, best by \w{3} \d+ \w{3} \d{4}\. Stayed cold: never above 5 °C\. Box BOX-1: http/

for (const [name, open] of testDatabases) {
  test(`${name}: an email says how fresh the fish is, as of when, and that another box may be packed until one is`, async () => {
    await using shop = await shopWithMail({ open })
    await snapperBox(shop)
    const { _id } = await shop.placed({ snapper: 1, ice: 1 })
    const placed = await shop.mailed('placed')
    assert.match(placed, COLD)
    assert.match(placed, /as of \w{3} \d+ \w{3}, \d+:\d\d [ap]m:/)
    assert.match(placed, /It is not packed yet/)
    assert.match(placed, /Put it into your calendar:\nhttp\S+\/time\.ics\?key=/)
    assert.match(placed, /Pick-up: \w{3} \d+ \w{3}, \d+:\d\d [ap]m to /)
    assert.match(placed, /^At: Sydney Fish Market, Bank Street, Pyrmont NSW 2009$/m)
    assert.equal(placed.match(/^Ice: /gm)?.length, 1, 'nothing of what comes from no box')

    const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 1_000 }] }]
    assert.equal((await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })).statusCode, 200)
    await moved(shop, _id, 'PACKED')
    await moved(shop, _id, 'READY')
    const ready = await shop.mailed('ready')
    assert.match(ready, COLD)
    assert.doesNotMatch(ready, /not packed yet/)
  })

  test(`${name}: an email says nothing of a box that is off sale, of a sensor that died warm no date, and of no fish nothing`, async () => {
    await using shop = await shopWithMail({ open })
    await snapperBox(shop, 'BOX-1', [1, 1, 9, 18])
    const { _id } = await shop.placed({ snapper: 1 })
    const warm = await shop.mailed('placed')
    assert.match(
      warm,
      /Snapper: Unknown since \w{3} .*, last 18 °C\. Warmed on the way: above 5 °C for a time\./,
    )
    assert.doesNotMatch(warm, /best by/i)
    await moved(shop, _id, 'CANCELLED', { reason: 'The fridge broke.' })
    const cancelled = await shop.mailed('cancelled')
    assert.doesNotMatch(cancelled, /BOX-1|fresh/)
    assert.match(cancelled, /Take it out of your calendar:\nhttp/)

    await snapperBox(shop, 'BOX-2')
    await shop.admin('PUT', '/api/box/BOX-1/sale', { offSale: true, reason: 'Too warm.' })
    await shop.placed({ snapper: 1 })
    assert.match(await shop.mailed('placed'), /Box BOX-2: http/)
    const { _id: last } = await shop.placed({ snapper: 2 })
    const lines = [{ position: 1, grams: 2_000, boxes: [{ boxID: 'BOX-2', amount: 2_000 }] }]
    await shop.admin('PUT', `/api/order/${last}/packing`, { lines })
    await shop.admin('PUT', '/api/box/BOX-2/sale', { offSale: true, reason: 'Too warm.' })
    const slot = await shop.newSlot({})
    assert.equal((await shop.admin('PUT', `/api/order/${last}/slot`, { slot })).statusCode, 200)
    assert.doesNotMatch(await shop.mailed('moved'), /BOX-|fresh|best by/i)
  })
}
