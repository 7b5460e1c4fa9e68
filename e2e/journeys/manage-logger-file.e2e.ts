import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { registerBox } from '../support/boxes.ts'
import { assertAccessibleAcross, banner, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const BOX = 'LOGGER-1'
const server = await startForFile(startServer({ env: { SAMPLE_DATA: 'off' } }))
before(async () => {
  await registerBox(server, BOX)
})

const twoDigits = (n: number): string => String(n).padStart(2, '0')
/** Lines of two days ago, ten minutes apart, as programs of loggers write them in Europe. */
const lines = (count: number): string[] => {
  const [year, month, day] = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10).split('-')
  return Array.from({ length: count }, (_, i) => {
    const clock = `${twoDigits(Math.floor(i / 6))}:${twoDigits((i % 6) * 10)}`
    return `${i + 1};${day}.${month}.${year} ${clock};${i % 3},5`
  })
}
const csv = (...rows: string[]) => ({
  name: 'journey.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Logger;S-77', '', 'No.;Date/time;Temperature °C', ...rows].join('\r\n')),
})
const tracked = async (): Promise<{ iotID: string; temperature: number }[]> =>
  (await (await fetch(`${server.url}/api/box/${BOX}`)).json()).iotResult?.iotTracking ?? []

test('a logger’s file: its columns, a dry run by line, the import, once; its columns are remembered', async () => {
  await using at = await visitAsManager(server, `/manage/box/${BOX}`)
  at.expectProblem(/400 \(Bad Request\)/)
  const { page } = at
  const input = page.getByLabel('CSV file of a logger')
  const products = { name: 'p.csv', mimeType: 'text/csv', buffer: Buffer.from('_id;title\np1;Snapper') }
  await input.setInputFiles(products)
  await banner(page).getByText('this is not a logger’s file', { exact: false }).waitFor()

  const good = lines(30)
  await input.setInputFiles(csv(...good, '31;soon;1,0', '32;01.01.2001 00:00;ERR'))
  const form = page.getByRole('form', { name: 'Columns of the file' })
  await eventually(() => form.getByLabel('Temperature', { exact: true }).inputValue(), 'Temperature °C')
  await eventually(() => form.getByLabel('Decimals').inputValue(), ',')
  await press(page, 'Try it')
  await form.getByText('is needed where no column holds it').waitFor()
  await form.getByLabel('Or its number, typed').fill('S-77')
  await form.getByLabel('Remember these columns as').fill('Sample logger')
  await page.getByRole('link', { name: 'All boxes' }).click()
  await press(page, 'Keep editing')
  await eventually(() => form.getByLabel('Or its number, typed').inputValue(), 'S-77')
  await press(page, 'Try it')
  await page.getByText('30 readings would be recorded.').waitFor()
  await page.getByText('2 lines are refused').waitFor()
  await page.getByText('Line 34: Date/time is not a time').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-logger-file')
  assert.deepEqual(await tracked(), [], 'a dry run writes nothing')
  await page.route('**/api/tracking/file?*', (route) => route.abort(), { times: 1 })
  at.expectProblem(/net::ERR_FAILED/)
  await press(page, 'Import 30 readings')
  await banner(page).getByText('No connection to the shop.', { exact: false }).waitFor()
  await press(page, 'Import 30 readings')
  await page.getByText('30 readings recorded.').waitFor()
  assert.equal((await tracked()).length, 30)
  assert.deepEqual([(await tracked())[1]?.iotID, (await tracked())[1]?.temperature], ['S-77', 1.5])

  await press(page, 'Done')
  await input.setInputFiles(csv(...good))
  await eventually(() => page.getByLabel('Remembered columns').inputValue(), 'Sample logger')
  await form.getByLabel('Or its number, typed').fill('S-77')
  await press(page, 'Try it')
  await page.getByText('Nothing in this file is new.').waitFor()
  await eventually(() => page.getByRole('button', { name: /^Import \d/ }).count(), 0)
  assert.equal((await tracked()).length, 30)
})
