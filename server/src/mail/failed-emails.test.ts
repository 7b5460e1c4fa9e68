import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { eq, sql } from 'drizzle-orm'
import { jobs } from '#server/db/schema/jobs.ts'
import { anonymous } from '#server/identity/principal.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { refusal, smtpServer } from '#server/testing/smtp-server.ts'
import { button } from './email-content.ts'
import { retryEmail } from './failed-emails.ts'
import { queueEmail } from './send-email.ts'

const silent = { warn: () => undefined, error: () => undefined }
const TOKEN = 't0ken-that-is-worth-a-password'
const content = { subject: 'Hello', heading: 'Hello', blocks: [button('Go', `https://x/${TOKEN}`)] }
const HELD = '/api/manage/mail'

const run = ({ deps }: TestShop) =>
  runDueJobs(deps.db, interactiveJobs(deps), silent, new AbortController().signal)

const queue = ({ deps }: TestShop, to: string, goodUntil?: Date) =>
  queueEmail(
    deps.db,
    deps.secrets,
    { kind: 'recovery', to, content, ...(goodUntil && { goodUntil }) },
    deps.now(),
  )

const held = async (admin: Caller, query = ''): Promise<FailedEmail[]> =>
  (await admin('GET', `${HELD}${query}`)).json().rows

for (const [name, open] of testDatabases) {
  test(`${name}: a rejected email is listed without its content, can be resent by hand, and both are in the audit log`, async () => {
    let refuses = true
    await using smtp = await smtpServer(undefined, () => (refuses ? refusal(550, 'No such user') : null))
    await using shop = await testShop({ open, env: { SMTP_URL: smtp.url } })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await queue(shop, 'ann@example.com')
    assert.deepEqual(await held(admin), [], 'what was not tried yet is not held up')
    await run(shop)
    const [mail, ...others] = await held(admin)
    assert.deepEqual(others, [])
    const { _id, askedAt, ...shown } = mail ?? assert.fail('the mail is not listed')
    assert.deepEqual(shown, {
      to: 'ann@example.com',
      letter: 'email to set a new password',
      tries: 1,
      lastError: 'The mail server rejects this address: 550 No such user',
      state: 'given up',
      nextTryAt: null,
      expired: false,
    })
    assert.ok(Math.abs(Date.parse(askedAt) - Date.now()) < 600_000)

    refuses = false
    const asked = await Promise.all([1, 2].map(() => admin('POST', `${HELD}/${_id}/again`)))
    for (const again of asked)
      assert.deepEqual([again.statusCode, again.json().state, again.json().tries], [200, 'due', 0])
    await run(shop)
    assert.deepEqual(
      smtp.mails.map(({ to }) => to),
      [['ann@example.com']],
      'it came once',
    )
    assert.deepEqual(await held(admin), [])
    assert.equal((await admin('POST', `${HELD}/${_id}/again`)).statusCode, 404)

    const history = (await admin('GET', `/api/history?entity=mail&id=${_id}`)).json()
    assert.equal(history.total, 1, 'asking twice was asking once')
    assert.equal(history.rows[0].who, 'admin Sample')
    assert.deepEqual([history.rows[0].before.state, history.rows[0].before.tries], ['given up', 1])
    assert.deepEqual(
      [history.rows[0].after.state, history.rows[0].after.to],
      ['sent again', 'ann@example.com'],
    )
    const answers = JSON.stringify([mail, ...asked.map((again) => again.json()), history])
    assert.ok(!answers.includes('sealed') && !answers.includes(TOKEN))
  })

  test(`${name}: a deferred email waits, can be retried at once by hand, and fails again with one attempt more`, async () => {
    await using smtp = await smtpServer(() => refusal(451, 'Busy'))
    await using shop = await testShop({ open, env: { SMTP_URL: smtp.url } })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await queue(shop, 'ann@example.com')
    await run(shop)
    const [first] = await held(admin)
    assert.deepEqual([first?.state, first?.tries], ['waiting', 1])
    assert.ok(Date.parse(first?.nextTryAt ?? '') > Date.now())
    await admin('POST', `${HELD}/${first?._id}/again`)
    await run(shop)
    const [second] = await held(admin)
    assert.deepEqual([second?.state, second?.tries], ['waiting', 2])
  })

  test(`${name}: asking again for what another asked for while this one waited asks nothing`, async () => {
    await using smtp = await smtpServer(undefined, () => refusal(550, 'No such user'))
    await using shop = await testShop({ open, env: { SMTP_URL: smtp.url } })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await queue(shop, 'ann@example.com')
    await run(shop)
    const [mail] = await held(admin)
    const again = await shop.deps.db.transaction(async (tx) => {
      await tx.update(jobs).set({ runAt: sql`clock_timestamp()`, failedAt: null }) // after this transaction began
      return retryEmail({ db: tx, now: shop.deps.now }, anonymous, mail?._id ?? '')
    })
    assert.equal(again.state, 'due')
    assert.equal((await admin('GET', '/api/history?entity=mail')).json().total, 0)
  })

  test(`${name}: discarding an email is final and audited, and one being sent is left alone`, async () => {
    await using smtp = await smtpServer(() => refusal(451, 'Busy'))
    await using shop = await testShop({ open, env: { SMTP_URL: smtp.url } })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await queue(shop, 'ann@example.com')
    await run(shop)
    const [mail] = await held(admin)
    const id = mail?._id ?? ''
    const lease = (until: string) =>
      shop.deps.db
        .update(jobs)
        .set({ leasedUntil: sql`now() + ${until}::interval` })
        .where(eq(jobs.id, Number(id)))
    await lease('1 hour')
    assert.equal((await held(admin))[0]?.state, 'sending')
    assert.equal((await admin('DELETE', `${HELD}/${id}`)).statusCode, 409)
    assert.equal((await admin('POST', `${HELD}/${id}/again`)).json().state, 'sending')
    await lease('-1 hour')
    assert.equal((await admin('DELETE', `${HELD}/${id}`)).statusCode, 204)
    assert.equal((await admin('DELETE', `${HELD}/${id}`)).statusCode, 404)
    assert.deepEqual(await held(admin), [])
    const { rows } = (await admin('GET', '/api/history?entity=mail')).json()
    assert.deepEqual(
      rows.map((row: { action: string; before: FailedEmail }) => [
        row.action,
        row.before.to,
        row.before.tries,
      ]),
      [['delete', 'ann@example.com', 1]],
    )
  })

  test(`${name}: all failed emails are resent at once, except those whose link has expired`, async () => {
    let refuses = true
    await using smtp = await smtpServer(undefined, () => (refuses ? refusal(550, 'No') : null))
    let clock = new Date()
    await using shop = await testShop({ open, env: { SMTP_URL: smtp.url }, deps: { now: () => clock } })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    await queue(shop, 'late@example.com', new Date(clock.getTime() + 3_600_000))
    await queue(shop, 'ann@example.com')
    await queue(shop, 'bob@example.com')
    await run(shop)
    const total = (page: string) => held(admin, page).then((rows) => rows.map(({ to }) => to))
    assert.deepEqual(await total('?size=2&page=1'), ['bob@example.com', 'ann@example.com'])
    assert.deepEqual(await total('?size=2&page=2'), ['late@example.com'])
    clock = new Date(clock.getTime() + 3_600_001)
    refuses = false
    const late = (await held(admin))[2]
    assert.equal(late?.expired, true)
    assert.equal((await admin('POST', `${HELD}/${late?._id}/again`)).statusCode, 409)
    assert.deepEqual((await admin('POST', `${HELD}/again`)).json(), { count: 2 })
    assert.deepEqual((await admin('POST', `${HELD}/again`)).json(), { count: 0 })
    await run(shop)
    assert.deepEqual(smtp.mails.flatMap(({ to }) => to).sort(), ['ann@example.com', 'bob@example.com'])
    assert.deepEqual(await total(''), ['late@example.com'])
    assert.equal((await admin('GET', '/api/history?entity=mail')).json().total, 2)
  })
}

test('an email whose link expired before it was sent is discarded', async () => {
  await using smtp = await smtpServer()
  await using shop = await testShop({ env: { SMTP_URL: smtp.url } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await queue(shop, 'ann@example.com', new Date(shop.deps.now().getTime() - 1))
  await run(shop)
  assert.deepEqual(smtp.mails, [])
  const [mail] = await held(admin)
  assert.deepEqual([mail?.state, mail?.expired], ['given up', true])
  assert.match(mail?.lastError ?? '', /link expired/)
})

test('an email that cannot be decrypted is listed and can be discarded; invalid ids are not found', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await shop.deps.db.insert(jobs).values({ queue: 'mail.send', payload: { sealed: TOKEN } })
  await run(shop)
  const [mail] = await held(admin)
  assert.deepEqual([mail?.to, mail?.letter, mail?.state], ['', 'unreadable email', 'given up'])
  assert.match(mail?.lastError ?? '', /secret\.key/)
  for (const id of ['none', '0', '99999999999', '-1', '1.5'])
    assert.equal((await admin('DELETE', `${HELD}/${id}`)).statusCode, 404, id)
  assert.equal((await admin('DELETE', `${HELD}/${mail?._id}`)).statusCode, 204)
})
