import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { startWorker } from '#server/jobs/lane.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { secretsOf } from '#server/secrets/secrets.ts'
import { type TestDb, testDatabases } from '#server/testing/database.ts'
import { refusal, smtpServer } from '#server/testing/smtp-server.ts'
import { text } from './email-content.ts'
import { describeSmtpError, type EmailMessage, MailRejected, smtpMailer } from './mailer.ts'
import { MAIL_QUEUE, queueEmail, sendMailJob } from './send-email.ts'

const message: EmailMessage = {
  id: 'b6a1',
  to: 'ann@example.com',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  date: new Date('2026-03-02T06:00:00Z'),
  kind: 'activation',
}

async function failureAt(url: string): Promise<unknown> {
  const mailer = smtpMailer(url, 'shop@shop.example')
  try {
    await mailer.send(message)
  } catch (error) {
    return error
  } finally {
    await mailer.close()
  }
  return assert.fail('should have been refused')
}

test('a rejected recipient or email is a permanent error, a deferral is not, and each says which', async () => {
  const cases = [
    [
      smtpServer(undefined, () => refusal(550, 'No such user')),
      true,
      /rejects this address: 550 No such user/,
    ],
    [smtpServer(undefined, () => refusal(451, 'Greylisted')), false, /defers this address: 451 Greylisted/],
    [smtpServer(() => refusal(554, 'Looks like spam')), true, /rejects the email: 554 Looks like spam/],
    [smtpServer(() => refusal(452, 'Mailbox full')), false, /defers the email: 452 Mailbox full/],
  ] as const
  for (const [opening, forGood, words] of cases) {
    await using server = await opening
    const error = await failureAt(server.url)
    assert.equal(error instanceof MailRejected, forGood, String(words))
    assert.match(describeSmtpError(error instanceof MailRejected ? error.cause : error), words)
  }
})

test('a missing mail server is described as unreachable', async () => {
  const nobody = createServer().listen(0, '127.0.0.1')
  await once(nobody, 'listening')
  const address = nobody.address()
  nobody.close()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  assert.equal(
    describeSmtpError(await failureAt(`smtp://127.0.0.1:${port}`)),
    'The mail server can’t be reached.',
  )
})

test('what a server quotes of the email is left out', () => {
  const token = 'qF8c1vJ2xO0bN7hYtZkLw3sR5uE9aGdM4iPjC6yXe_-'
  const response = `554 5.7.1 blocked:\r\n https://shop.example/user/activate/${token} or ${token}`
  const words = describeSmtpError(Object.assign(new Error(response), { response, responseCode: 554 }))
  assert.equal(words, 'The mail server rejects the email: 554 5.7.1 blocked: (link) or …')
})

test('an unexpected error says where to look, and no more', () => {
  for (const odd of [new Error('secret'), 'secret', null, undefined, { code: 'EODD' }])
    assert.equal(describeSmtpError(odd), 'It could not be sent. The server’s log says why.')
})

const silent = { warn: () => undefined, error: () => undefined }
const never = new AbortController().signal
const secrets = secretsOf(new Uint8Array(32))
const shop = { name: 'BeFAQT', url: 'https://shop.example' }
const content = { subject: 'Hello', heading: 'Hello', blocks: [text('Hello')] }
const TERMS = { leaseS: 4, timeoutS: 600 }

/** A mail server that is silent once it was told the address, until it is let go on; and an email that waits for it. */
async function slowWorld(t: TestDb, finishWithinMs?: number) {
  const asked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const smtp = await smtpServer(undefined, undefined, () => {
    asked.resolve()
    return goOn.promise
  })
  const mailer = smtpMailer(smtp.url, 'a@b.example')
  const handlers = { [MAIL_QUEUE]: sendMailJob(mailer, secrets, shop, () => new Date(), finishWithinMs) }
  await queueEmail(t.db, secrets, { kind: 'activation', to: 'ann@example.com', content }, new Date())
  return {
    handlers,
    mails: smtp.mails,
    isAsked: asked.promise,
    goOn: () => goOn.resolve(),
    [Symbol.asyncDispose]: async () => {
      goOn.resolve()
      await mailer.close()
      await smtp[Symbol.asyncDispose]()
    },
  }
}

const jobs = (db: Db) =>
  rows<{ attempts: number; last_error: string | null; leased: boolean }>(
    db,
    sql`select attempts, last_error, leased_until is not null as leased from jobs`,
  )

for (const [name, open] of testDatabases) {
  test(`${name}: an email that takes the mail server longer than a lease is sent once, and other jobs go on`, async () => {
    await using t = await open()
    await using world = await slowWorld(t)
    const sending = runDueJobs(t.db, world.handlers, silent, never, TERMS)
    await world.isAsked
    await sleep(TERMS.leaseS * 1_500)
    assert.equal(await runDueJobs(t.db, world.handlers, silent, never, TERMS), 0, 'it is nobody else’s')
    await enqueue(t.db, 'other', {})
    assert.equal(await runDueJobs(t.db, { other: async () => undefined }, silent, never, TERMS), 1)
    world.goOn()
    assert.equal(await sending, 1)
    assert.equal(world.mails.length, 1)
    assert.deepEqual(await jobs(t.db), [])
  })

  test(`${name}: a worker that shuts down gives up a silent mail server, and the next worker has the email at once`, async () => {
    await using t = await open()
    await using world = await slowWorld(t, 50)
    const stop = await startWorker(t, world.handlers, silent)
    await world.isAsked
    const began = performance.now()
    await stop()
    assert.ok(performance.now() - began < 25_000, 'not only after the 30 s that end every silence')
    assert.deepEqual(await jobs(t.db), [{ attempts: 0, last_error: null, leased: false }])
    world.goOn()
    assert.equal(await runDueJobs(t.db, world.handlers, silent, never), 1)
    assert.equal(world.mails.length, 1)
  })

  test(`${name}: an email being sent when its worker shuts down is finished`, async () => {
    await using t = await open()
    await using world = await slowWorld(t, 120_000)
    const stop = await startWorker(t, world.handlers, silent)
    await world.isAsked
    const stopped = stop()
    world.goOn()
    await stopped
    assert.equal(world.mails.length, 1)
    assert.deepEqual(await jobs(t.db), [])
  })
}
