import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Signer } from '@befaqt/provenance/signed/signer'
import { assertAccessible } from '../support/accessible.ts'
import { boxPath, UNCHANGED, unchanged, verdictInHead, waitUntilAnchored } from '../support/box-page.ts'
import { registerBox } from '../support/boxes.ts'
import { visit } from '../support/browser.ts'
import { verdictText } from '../support/checker.ts'
import { openManaged, visitAsManager } from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const BOX = 'WEIGHED-1'
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const caught = {
  ...{ time: '2025-11-18T18:20:00Z', boat: '', latitude: -33.9, longitude: 151.3, method: 'line' },
  ...{ species: 'Snapper', size: '', note: '', img: '', locationCodeLat: 0, locationCodeLong: 151 },
}

const server = await startForFile(startServer({ env: { ANCHOR_INTERVAL_S: '1', SAMPLE_DATA: 'off' } }))

/** What the checker in one file says of the box's weight. */
async function toldByChecker(): Promise<string> {
  await using at = await visit(`${server.url}/check.html#box=${BOX}`)
  at.expectProblem(/404/) // no policy lies beside it
  const { page } = at
  await page.getByLabel('The shop’s address').fill(server.url)
  await page.getByLabel('The number of the box').press('Enter')
  const said = await verdictText(page)
  assert.ok(said.startsWith(UNCHANGED), said)
  return page.locator('.facts dl').innerText()
}

test('box page, checker and desk say that a scale signed the weight, and that a later one was typed', async () => {
  const scale = new Signer()
  const named = { name: 'Scale at the ramp', publicKey: hex(scale.publicKey), level: 'sensor' }
  const { message } = (await callJson(server, 'POST', '/api/device', named)) as { message: string }
  const signature = hex(scale.sign(Buffer.from(message, 'hex')))
  await callJson(server, 'POST', `/api/device/${scale.id}/enrol`, { signature })
  await registerBox(server, BOX)
  await callJson(server, 'POST', `/api/box/${BOX}/catch`, caught)
  const said = { box: BOX, counter: 1, of: 'box', grams: 38_205 } as const
  const timeS = Math.ceil(Date.now() / 1000)
  await callJson(server, 'POST', `/api/box/${BOX}/weight`, { cose: hex(scale.weighing({ ...said, timeS })) })
  await using at = await visitAsManager(server, '/')
  const { page } = at
  const opened = async (): Promise<string> => {
    await waitUntilAnchored(page, BOX)
    await waitUntilAnchored(page, `device:${scale.id}`)
    await page.goto(boxPath(BOX))
    return verdictInHead(page)
  }
  const signed = await opened()
  assert.match(signed, unchanged)
  assert.match(signed, new RegExp(`Weighed by a scale that signed it, key ${scale.id.slice(0, 8)}\\.`))
  await page.locator('#records').getByText('signed by its scale', { exact: true }).waitFor()
  await assertAccessible(page)
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await saveScreenshot(page, `box-signed-weight-${width}`)
  }
  assert.match(
    await toldByChecker(),
    new RegExp(`Weighed by a scale that signed it, key ${scale.id.slice(0, 8)}`),
  )
  await openManaged(page, `/manage/box/${BOX}`)
  const weights = page.getByRole('list', { name: 'Weights recorded' })
  await weights
    .getByText('signed by the scale urn:dev:mac:0024befffe80aaaa with the key', { exact: false })
    .waitFor()
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await saveScreenshot(page, `manage-signed-weight-${width}`)
  }
  await callJson(server, 'POST', `/api/box/${BOX}/weight`, { of: 'box', grams: 38_000 })
  assert.match(await opened(), /Sold 0\.0 of 38\.0 kg; 38\.0 kg left\. Weight typed in\./)
})
