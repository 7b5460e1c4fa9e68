import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Signer } from '@befaqt/provenance/signed/signer'
import { assertAccessible, assertNoSidewaysScroll } from '../support/accessible.ts'
import { boxPath, unchanged, verdictInHead, waitUntilAnchored } from '../support/box-page.ts'
import { registerBox } from '../support/boxes.ts'
import { visit } from '../support/browser.ts'
import { callJson } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'

const BOX = 'CHAIN-1'
const TWO_DAYS_S = 172_800
let server: Server
before(async () => {
  server = await startServer({ env: { ANCHOR_INTERVAL_S: '1', SAMPLE_DATA: 'off' } })
  await registerBox(server, BOX)
})
after(() => server[Symbol.asyncDispose]())

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Registers a logger whose readings count since three days ago. */
async function enrolledLogger(): Promise<Signer> {
  const logger = new Signer()
  const validFrom = new Date(Date.now() - 1.5 * TWO_DAYS_S * 1000).toISOString()
  const asked = { name: 'Logger 7', publicKey: hex(logger.publicKey), level: 'sensor', validFrom }
  const { message } = (await callJson(server, 'POST', '/api/device', asked)) as { message: string }
  const signature = hex(logger.sign(Buffer.from(message, 'hex')))
  await callJson(server, 'POST', `/api/device/${logger.id}/enrol`, { signature })
  return logger
}

test('a box page says which statements of a sensor were left out, and that one began anew', async () => {
  const logger = await enrolledLogger()
  const startS = Math.floor(Date.now() / 1000) - TWO_DAYS_S
  const said = (counter: number) => ({
    box: BOX,
    counter,
    readings: [{ timeS: startS + counter * 600, temperature: 1.5, place: [-33.5, 151.5] as const }],
  })
  const send = async (...statements: Uint8Array[]) =>
    callJson(server, 'POST', '/api/tracking', { readings: statements.map((bytes) => ({ cose: hex(bytes) })) })
  const all = [1, 2, 3, 4, 5, 6].map((counter) => logger.chained(said(counter)))
  await send(...all)
  await using at = await visit(server.url)
  const { page } = at
  const open = async (): Promise<string> => {
    await waitUntilAnchored(page, BOX)
    await waitUntilAnchored(page, `device:${logger.id}`)
    await page.goto(boxPath(BOX))
    return verdictInHead(page)
  }
  await page.goto('/')
  const whole = await open()
  assert.match(whole, unchanged)
  assert.match(whole, /Of the readings: 6 signed by the sensor itself\./)
  assert.doesNotMatch(whole, /missing/)
  for (const counter of [7, 8, 9]) logger.chained(said(counter))
  await send(logger.chained(said(10)))
  assert.match(await open(), /3 statements of this sensor are missing between \d+:\d\d/)
  await send(logger.logger({ ...said(11), prev: '0'.repeat(64) }))
  const lacking = await open()
  assert.match(lacking, /This sensor began anew at \d+:\d\d [ap]m on /)
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await assertNoSidewaysScroll(page)
    await saveScreenshot(page, `box-statements-${width}`)
  }
  await assertAccessible(page)
})
