import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { refusal, smtpServer } from '#server/testing/smtp-server.ts'
import { describeSmtpError } from './describe-smtp-error.ts'
import { type EmailMessage, MailRejected } from './port.ts'
import { smtpMailer } from './smtp.ts'

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
