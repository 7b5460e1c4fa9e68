import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { registerBox } from '../support/boxes.ts'
import { untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const BOX = 'WARM-1'
const MINUTE_MS = 60_000
const server = await startForFile(startServer({ env: { SAMPLE_DATA: 'off' } }))
before(async () => {
  await registerBox(server, BOX)
  const readings = [2, 6, 7, 9, 8, 7].map((temperature, i) => ({
    box: BOX,
    iotID: 'L-1',
    time: new Date(Date.now() - (80 - i * 15) * MINUTE_MS).toISOString(),
    latitude: -33.5,
    longitude: 150.5,
    temperature,
  }))
  await post('/api/tracking', { readings })
})

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.call(path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(answer.ok, await answer.text())
}

test('a manager is shown an excursion by itself, notes what was done and closes it', async () => {
  await using at = await visitAsManager(server, '/manage/excursion')
  const { page } = at
  const link = page.getByRole('link', { name: BOX })
  for (let tries = 0; tries < 60 && (await link.count()) === 0; tries++) {
    await page.waitForTimeout(1_000)
    await page.reload()
  }
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-excursions')
  await link.click()
  await page.getByText('up to 9.0 °C').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-excursion')
  const note = page.getByLabel('Note, or reason for closing')
  await untilHydrated(page) // the list was loaded again, and its link may have been followed before it was hydrated
  await note.fill('Called the driver')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await untilHydrated(page)
  await eventually(() => note.inputValue(), 'Called the driver', 'a note outlives a reload')
  await page.getByRole('link', { name: 'Excursions' }).click()
  await press(page, 'Keep editing')
  await press(page, 'Add note')
  await page.getByText('Called the driver').first().waitFor()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === '')
  const dialog = page.getByRole('dialog')
  await press(page, 'Take off sale')
  await dialog.getByRole('button', { name: 'Take off sale' }).click()
  await page.getByText('The box is off sale.').waitFor()
  await saveScreenshot(page, 'manage-excursion-off-sale')
  await note.fill('Iced again')
  await press(page, 'Close with this reason')
  await dialog.getByLabel('Put it back on sale').check()
  await dialog.getByRole('button', { name: 'Close the excursion' }).click()
  await page.getByText('The box is on sale.').waitFor()
  await page.getByText('Closed: Iced again').waitFor()
  await page.getByRole('link', { name: 'Excursions' }).click()
  await page.getByText('No excursions here.').waitFor()
  await page.getByLabel('Species').fill('Tuna')
  await page.getByLabel('For, minutes').fill('20')
  await press(page, 'Set limit')
  await page.getByText('must be a number').waitFor()
  await page.getByLabel('Above, °C').fill('2,5')
  await press(page, 'Set limit')
  await page.getByText('above 2.5 °C for 20 minutes').waitFor()
  await press(page, 'Remove the limit of tuna')
  await press(page, 'Remove')
  await page.getByText('The limit of tuna is removed.').waitFor()
  at.expectProblem(/400 \(Bad Request\)/)
  await page.getByLabel('By').selectOption('webhook')
  await page.getByLabel('Address').fill('not a URL')
  await press(page, 'Add')
  await page.getByText('must be a web address', { exact: true }).waitFor()
  await page.getByLabel('Address').fill('https://hooks.example.org/befaqt')
  await press(page, 'Add')
  const shown = page.getByRole('region', { name: 'The secret of this webhook' })
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'The secret of this webhook')
  assert.match(await shown.getByLabel('Secret').inputValue(), /^\S{20,}$/)
  await saveScreenshot(page, 'manage-excursion-settings')
  await shown.getByRole('button', { name: 'I’ve saved it' }).click()
  await press(page, 'Remove https://hooks.example.org/befaqt')
  await press(page, 'Remove')
  await page.getByText('https://hooks.example.org/befaqt is no longer notified.').waitFor()
})
