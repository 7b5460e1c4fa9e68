import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { rows } from '#server/db/client.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { secretsOf } from '#server/secrets/secrets.ts'
import { testDatabases } from '#server/testing/database.ts'
import { smtpServer } from '#server/testing/smtp-server.ts'
import { button, type EmailContent, emailHtml, emailText, note, rowsOf, text } from './email-content.ts'
import type { EmailMessage } from './mailer.ts'
import { mimeBytes, outboxMailer, smtpMailer } from './mailer.ts'
import { MAIL_QUEUE, queueEmail, sendMailJob } from './send-email.ts'

const now = () => new Date()
const shop = { name: 'BeFAQT', url: 'https://shop.example' }
const secrets = secretsOf(new Uint8Array(32))
const silent = { warn: () => undefined, error: () => undefined }
const never = new AbortController().signal
const LINK = 'https://shop.example/user/activate/t0ken'
const content: EmailContent = {
  subject: 'Prawns & “ice” – Crustacés',
  heading: 'Hello <b>Ann</b>',
  blocks: [text('Tom & Jerry'), button('Go', LINK), rowsOf([['Box', 'BX-1']]), note('Small')],
}
const message = (more: Partial<EmailMessage> = {}): EmailMessage => ({
  id: 'b6a1',
  to: 'ann@example.com',
  subject: content.subject,
  text: emailText(content, shop),
  html: emailHtml(content, shop),
  date: new Date('2026-03-02T06:00:00Z'),
  kind: 'test',
  ...more,
})

test('an email arrives over SMTP as HTML and text, with encoded subject and a stable Message-ID', async () => {
  await using smtp = await smtpServer()
  const mailer = smtpMailer(smtp.url, 'BeFAQT <no-reply@shop.example>')
  await mailer.send(message())
  await mailer.close()
  const [mail] = smtp.mails
  const read = await PostalMime.parse(mail?.raw ?? '')
  assert.deepEqual(mail?.to, ['ann@example.com'])
  assert.equal(read.subject, content.subject)
  assert.equal(read.from?.address, 'no-reply@shop.example')
  assert.equal(read.messageId, '<b6a1@shop.example>')
  assert.ok(read.text?.includes(`Go:\n${LINK}`))
  assert.ok(read.html?.includes('Hello &lt;b&gt;Ann&lt;/b&gt;'))
  assert.ok(read.html?.includes(`href="${LINK}"`))
  assert.equal(read.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
})

test('a mail server that rejects or is unreachable makes sending fail, so that it is retried', async () => {
  await using smtp = await smtpServer(() => new Error('mailbox full'))
  const refused = smtpMailer(smtp.url, 'a@b.example')
  await assert.rejects(refused.send(message()), /mailbox full/)
  await refused.close()
  const nobody = createServer().listen(0, '127.0.0.1')
  await once(nobody, 'listening')
  const address = nobody.address()
  nobody.close()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const gone = smtpMailer(`smtp://127.0.0.1:${port}`, 'a@b.example')
  await assert.rejects(gone.send(message()), /ECONNREFUSED/)
  await gone.close()
})

test('no value can add a header, whatever is in it', async () => {
  const plain = await headersOf(message())
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.constantFrom('\r\n', '\n', '\r'), async (words, end) => {
      const evil = `${words}${end}Bcc: everybody@example.com${end}${end}Body`
      assert.deepEqual(await headersOf(message({ subject: evil })), plain)
    }),
    { numRuns: 40 },
  )
  const { bcc, to } = await PostalMime.parse(
    await mimeBytes(message({ to: 'ann@example.com\r\nBcc: eve@example.com' }), 'a@b.example'),
  )
  assert.equal(bcc, undefined)
  assert.equal(to?.length, 1)
})

const headersOf = async (one: EmailMessage): Promise<string[]> =>
  (await PostalMime.parse(await mimeBytes(one, 'a@b.example'))).headers.map(({ key }) => key)

test('whatever an email says stays text in its HTML', () => {
  fc.assert(
    fc.property(fc.string(), (words) => {
      const safe = escapeHtml(words)
      assert.doesNotMatch(safe, /[<>"']/)
      assert.doesNotMatch(safe, /&(?!(amp|lt|gt|quot|#39);)/)
    }),
  )
  const evil = '"><script>alert(1)</script>'
  const html = emailHtml(
    {
      subject: evil,
      heading: evil,
      blocks: [text(evil), note(evil), button(evil, `https://x/${evil}`), rowsOf([[evil, evil]])],
    },
    { name: evil, url: `https://shop.example/${evil}` },
  )
  assert.doesNotMatch(html, /<script/)
})

test('without a mail server messages are files that only the owner reads, one each, also sent twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-outbox-'))
  const mailer = outboxMailer(folder, 'BeFAQT <no-reply@localhost>')
  await mailer.send(message())
  await mailer.send(message())
  await mailer.send(message({ id: 'c7b2', date: new Date('2026-03-02T06:00:01Z') }))
  const names = (await readdir(join(folder, 'outbox'))).sort()
  assert.deepEqual(names, [
    '2026-03-02T06-00-00.000Z-test-b6a1.eml',
    '2026-03-02T06-00-01.000Z-test-c7b2.eml',
  ])
  const path = join(folder, 'outbox', names[0] ?? '')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await PostalMime.parse(await readFile(path))).subject, content.subject)
  await rm(folder, { recursive: true })
})

for (const [name, open] of testDatabases) {
  test(`${name}: an email is sent when its transaction commits and only then, and is stored encrypted until then`, async () => {
    await using t = await open()
    const sent: EmailMessage[] = []
    const box = { send: async (one: EmailMessage) => void sent.push(one), close: async () => undefined }
    const handlers = { [MAIL_QUEUE]: sendMailJob(box, secrets, shop, now) }
    const email = { kind: 'activation', to: 'ann@example.com', content } as const
    const asked = new Date('2026-03-02T06:00:00Z')
    await assert.rejects(
      t.db.transaction(async (tx) => {
        await queueEmail(tx, secrets, email, asked)
        throw new Error('no')
      }),
    )
    await t.db.transaction((tx) => queueEmail(tx, secrets, email, asked))
    const [job] = await rows<{ payload: string }>(t.db, sql`select payload::text as payload from jobs`)
    assert.match(job?.payload ?? '', /"kind": "activation"/)
    assert.doesNotMatch(job?.payload ?? '', /t0ken|Hello/)
    await runDueJobs(t.db, handlers, silent, never)
    assert.deepEqual(
      sent.map(({ to, date, subject }) => [to, date.getTime(), subject]),
      [['ann@example.com', asked.getTime(), content.subject]],
    )
  })

  test(`${name}: an email that cannot be sent is kept with its reason for operators to see`, async () => {
    await using t = await open()
    await using smtp = await smtpServer(() => new Error('greylisted'))
    const mailer = smtpMailer(smtp.url, 'a@b.example')
    await queueEmail(t.db, secrets, { kind: 'activation', to: 'ann@example.com', content }, new Date())
    await runDueJobs(t.db, { [MAIL_QUEUE]: sendMailJob(mailer, secrets, shop, now) }, silent, never)
    await mailer.close()
    const [job] = await rows<{ attempts: number; last_error: string; later: boolean }>(
      t.db,
      sql`select attempts, last_error, run_at > now() as later from jobs`,
    )
    assert.equal(job?.attempts, 1)
    assert.match(job?.last_error ?? '', /greylisted/)
    assert.equal(job?.later, true)
  })
}
