import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Signer } from '@befaqt/provenance/signed/signer'
import { connectAsync } from 'mqtt'
import type { Page } from 'playwright-core'
import { freePort } from '../../tools/test/free-port.ts'
import { registerBox } from '../support/boxes.ts'
import { assertAccessibleAcross, press, rowsOf, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'
import { within } from '../support/within.ts'

const BOX = 'FIELD-1'
let server: Server
let port: number
before(async () => {
  port = await freePort()
  server = await startServer({ env: { MQTT_PORT: String(port) } })
  await registerBox(server, BOX)
})
after(() => server[Symbol.asyncDispose]())

async function post(path: string, body: object, status: number): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.call(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  assert.equal(answer.status, status, text)
  return JSON.parse(text)
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const row = (page: Page, list: string, name: string) => rowsOf(page, list).filter({ hasText: name })

test('a logger is registered by its signature, reports over MQTT, and its open connection is refused once it is revoked', async () => {
  const password = await server.operatorKey()
  const logger = new Signer()
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Devices' }).click()
  const form = page.getByRole('form', { name: 'Register a device' })
  at.expectProblem(/400 \(Bad Request\)/)
  await form.getByLabel('Name').fill('Logger 7 of the Gannet')
  await form.getByLabel('Public key').fill('no key')
  await form.getByRole('button', { name: 'Continue' }).click()
  await form.getByText(/must be 32 bytes in hex/).waitFor()
  await form.getByLabel('Public key').fill(hex(logger.publicKey))
  await form.getByRole('button', { name: 'Continue' }).click()
  const signing = page.getByRole('form', { name: 'Signature of Logger 7 of the Gannet' })
  const message = Buffer.from(await signing.getByRole('textbox', { name: 'Message' }).inputValue(), 'hex')
  await signing.getByLabel('Signature', { exact: true }).fill(hex(new Signer().sign(message)))
  await press(page, 'Register device')
  await signing.getByText('This is not the signature of this key over the message.').first().waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-device-enrol')
  await signing.getByLabel('Signature', { exact: true }).fill(hex(logger.sign(message)))
  await press(page, 'Register device')
  await page.getByText('Registered Logger 7 of the Gannet.').waitFor()
  const listed = row(page, 'Devices', 'Logger 7 of the Gannet')
  await listed.getByText('not heard yet').waitFor()
  await listed.getByText('signed by the sensor').waitFor()

  const client = await connectAsync({ host: '127.0.0.1', port, username: 'key', password })
  await client.subscribeAsync(`befaqt/${BOX}/refused`, { qos: 1 })
  const send = async (counter: number): Promise<unknown> => {
    const timeS = Math.floor(Date.now() / 1000)
    const readings = [{ timeS, temperature: 1.25, place: [-33.5, 151.5] as const }]
    const payload = Buffer.from(logger.logger({ box: BOX, counter, battery: 12, readings }))
    return client.publishAsync(`befaqt/${BOX}/tracking`, payload, { qos: 1 })
  }
  await send(1)
  await page.reload()
  await listed.getByText('reporting').waitFor()
  await listed.getByText('1.25 °C').waitFor()
  await listed.getByText('12%, low').waitFor()
  await listed.getByRole('link', { name: BOX }).waitFor()
  const proof = await listed.getByRole('link', { name: /^Proof/ }).getAttribute('href')
  assert.equal((await server.call(proof ?? '')).status, 200)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-device')

  await press(page, 'Revoke Logger 7 of the Gannet')
  const ask = page.getByRole('dialog', { name: 'Revoke Logger 7 of the Gannet?' })
  await ask.getByRole('button', { name: 'Revoke it for good' }).click()
  await ask.getByText('reason is required').waitFor()
  await ask.getByLabel('Why').fill('Fell overboard')
  await ask.getByRole('button', { name: 'Revoke it for good' }).click()
  await page.getByText('Revoked Logger 7 of the Gannet.').waitFor()
  const refused = new Promise((told) => client.once('message', (_topic, payload) => told(String(payload))))
  await send(2)
  assert.match(
    String(await within(5, 'the refusal comes on the open connection', refused)),
    /This key was revoked/,
  )
  await client.endAsync()
  await listed.getByText('revoked', { exact: true }).waitFor()
  await press(page, 'History of Logger 7 of the Gannet')
  await page.getByRole('dialog').getByText('Fell overboard').waitFor()
})

test('a device of another service is seen at its first message, assigned, and its readings go to the box', async () => {
  const ago = (minutes: number) => Date.now() - minutes * 60_000
  const message = (minutes: number) => ({
    EntityName: 'A571992',
    EntryTimeEpoch: ago(minutes),
    Temperature: { Celsius: 1.75 },
    Battery: { Percentage: 64 },
  })
  await using at = await visitAsManager(server, '/manage/tracker')
  const { page } = at
  at.expectProblem(/400 \(Bad Request\)/)
  await page.getByText('No such device was heard yet.').waitFor()
  await post('/api/tracking/tive', message(2), 200)
  await page.reload()
  const listed = row(page, 'Trackers', 'A571992')
  await listed.getByText('not assigned').waitFor()
  await listed.getByText(/^Refused: This device travelled with no box/).waitFor()
  await press(page, 'Assign A571992')
  const dialog = page.getByRole('dialog', { name: 'Assign A571992' })
  await dialog.getByLabel('Box').fill('NONE-1')
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await dialog.getByText('There is no such box.').first().waitFor()
  await page.keyboard.press('Escape')
  await press(page, 'Keep editing')
  await dialog.getByLabel('Box').fill(BOX)
  await dialog.getByLabel('Since').fill('2026-01-01T00:00')
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByText(`A571992 travels with ${BOX}.`).waitFor()
  assert.deepEqual(await post('/api/tracking/tive', message(1), 200), {
    accepted: 1,
    duplicates: 0,
    refused: [],
  })
  await page.reload()
  await listed.getByText('1.75 °C').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-tracker')
})
