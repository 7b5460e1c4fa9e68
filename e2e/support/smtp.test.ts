import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { startMailbox } from './smtp.ts'

/** Sends each line after the server has answered the one before. */
async function speakSmtp(url: string, lines: readonly string[]): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]()
  await answers.next()
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    await answers.next()
  }
  socket.end()
}

const message =
  'From: Shop <shop@example.org>\r\nTo: a@example.org\r\nSubject: Your order\r\n\r\nThank you.\r\n.'

test('an email can be awaited by recipient and subject', async () => {
  await using mailbox = await startMailbox()
  const coming = mailbox.waitForMail('b@example.org', /order/)
  await speakSmtp(mailbox.url, [
    'HELO test',
    'MAIL FROM:<shop@example.org>',
    'RCPT TO:<b@example.org>',
    'DATA',
    message,
  ])
  const mail = await coming
  assert.deepEqual(mail.recipients, ['b@example.org'])
  assert.equal(mail.from?.address, 'shop@example.org')
  assert.equal(mail.text?.trim(), 'Thank you.')
  assert.equal(mailbox.mails.length, 1)
})
