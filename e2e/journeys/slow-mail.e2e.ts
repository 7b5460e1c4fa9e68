import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, startServer } from '../support/server.ts'
import { startMailbox } from '../support/smtp.ts'
import { within } from '../support/within.ts'

test('a mail server that hangs delays neither the shop nor its shutdown, and the email is sent once', async (t) => {
  await using mailbox = await startMailbox()
  const env = { SMTP_URL: mailbox.url, SAMPLE_DATA: 'off' }
  await using server = await startServer({ env })
  const ask = (path: string, init?: RequestInit) => fetch(server.url + path, init)
  mailbox.dawdle(600_000)
  const isOnItsWay = mailbox.nextAddress()
  const answer = await ask('/api/user/forgotpassword', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ email: admin.email, resetPasswordLink: `${server.url}/user/resetpassword/` }),
  })
  assert.equal(answer.status, 200, await answer.text())
  await within(60, 'the letter is on its way', isOnItsWay)
  for (const path of ['/', '/readyz', '/api/site']) assert.equal((await ask(path)).status, 200, path)

  const began = performance.now()
  await server.stop()
  t.diagnostic(`ended after ${Math.round(performance.now() - began)} ms`)
  const failed = server.log.lines.filter(({ msg }) => msg === 'job failed')
  assert.deepEqual(failed, [], 'to be told to end is no failure of the letter')
  mailbox.dawdle(0)
  await using again = await startServer({ env, dataDir: server.dataDir })
  await mailbox.waitForMail(admin.email, /^Set a new/)
  await again.stop()
  assert.equal(mailbox.mails.length, 1)
})
