import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from '../support/accessible.ts'
import { sampleBox } from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const server = await startForFile(startServer())

/** Calls the shop as its administrator: keys are theirs alone. */
async function asAdmin(path: string, method: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const signedIn = await fetch(`${server.url}/api/user/signIn`, {
    method: 'POST',
    headers,
    body: JSON.stringify(admin),
  })
  const { token } = await signedIn.json()
  const authorization = { authorization: `Bearer ${token}` }
  const sent = body && { headers: { ...headers, ...authorization }, body: JSON.stringify(body) }
  return fetch(server.url + path, { method, headers: authorization, ...sent })
}

const keyWith = async (rights: string[]): Promise<{ id: string; key: string }> => {
  const answer = await asAdmin('/api/key', 'POST', { name: `Bench ${rights.length}`, rights })
  assert.equal(answer.status, 201)
  return answer.json()
}

const useKey = async (page: Page, key: string) => {
  await page.getByLabel('Key of this station').fill(key)
  await press(page, 'Open the station')
}
const choose = (page: Page, label: string, ...files: [name: string, text: Buffer | string][]) =>
  page.getByLabel(label).setInputFiles(
    files.map(([name, data]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(data),
    })),
  )

test('a station with its own key sends pictures and e-nose data, once, also over a broken connection', async () => {
  const [own, mighty] = [await keyWith(['record:write']), await keyWith(['record:write', 'box:write'])]
  await using at = await visit(`${server.url}/station`, { viewport: { width: 360, height: 740 } })
  at.expectProblem(/status of 40[14]|ERR_FAILED/)
  const { page } = at
  await untilHydrated(page)
  await useKey(page, 'befaqt_unknown')
  await page.getByText('The shop does not know this key').waitFor()
  await useKey(page, mighty.key)
  await page.getByText('This key may do more than send results.').waitFor()
  await assertAccessible(page)
  await useKey(page, own.key)
  await page.getByText('Sending as Bench 1').waitFor()

  await page.getByLabel('Box number').fill('BOX-9')
  await page
    .getByText('There is no such box')
    .or(page.getByText(/no box/i))
    .first()
    .waitFor()
  await page.getByLabel('Box number').fill(sampleBox)
  await page.getByText('Results so far: 1 of an e-eye').waitFor()
  const photo = await page.screenshot({ type: 'jpeg' })
  await choose(page, 'Add pictures', ['image.jpg', photo], ['notes.jpg', 'no picture'], ['image.jpg', photo])
  await page.getByText('notes.jpg can’t be read as a picture.').waitFor()
  await page.getByText('image 2.jpg').waitFor()
  await page.getByText('360 × 740 px').first().waitFor()
  await press(page, 'Add to the box’s records')
  await page.getByText('Say who or what assessed').waitFor()
  await page.getByLabel('Score, 0 as caught').fill('0.2')
  await page.getByLabel('Confidence, 0 to 1').first().fill('97 %')
  await page.getByLabel('Eye (optional)').fill('clear')
  await page.getByLabel('Method or device, and who').fill('E-eye 2, bench')
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await saveScreenshot(page, 'station-eye')
  const eyes = async () =>
    (await (await fetch(`${server.url}/api/box/${sampleBox}`)).json()).imageProc as {
      operator: string
      resultPerImage: { image: string }[]
    }[]
  await page.route(/\/api\/box\/.*\/image/, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Add to the box’s records')
  await page.getByText('No connection to the shop.').waitFor()
  assert.equal((await eyes()).length, 2, 'it had arrived')
  await page.unroute(/\/api\/box\/.*\/image/)
  await press(page, 'Add to the box’s records')
  await page.getByText(/Recorded as record \d+ of box/).waitFor()
  const after = await eyes()
  assert.equal(after.length, 2, 'the same again adds nothing')
  const sent = after.find(({ operator }) => operator === 'E-eye 2, bench')
  assert.equal(sent?.resultPerImage.length, 2)
  const stored = await fetch(`${server.url}/api/file/${sent?.resultPerImage[0]?.image}`)
  assert.equal(stored.headers.get('content-type'), 'image/webp')

  await page.reload()
  await page.getByText('E-nose: gas sensors').click()
  await page.getByLabel('Box number').fill(sampleBox)
  await choose(
    page,
    'Add data files',
    ['test.csv', 'time_s,ammonia_v\n0,0.4\n4,0.5\n'],
    ['picture.csv', photo],
    ['odd.csv', 'hello'],
  )
  await page.getByText('2 measurements over 4 s: ammonia_v 0.4 to 0.5').waitFor()
  await page.getByText('picture.csv is not a text file.').waitFor()
  await page.getByText('No table of measurements was recognised.').waitFor()
  await press(page, 'Remove odd.csv')
  await page.getByLabel('Method or device, and who').fill('E-nose 1, bench')
  await page.getByLabel('Score, 0 as caught').fill('0.1')
  await page.getByLabel('Confidence, 0 to 1').first().fill('0.8')
  await saveScreenshot(page, 'station-nose')
  await press(page, 'Add to the box’s records')
  await page.getByText(/Recorded as record \d+ of box/).waitFor()
  await saveScreenshot(page, 'station-sent')

  assert.ok((await asAdmin(`/api/key/${own.id}`, 'DELETE')).ok)
  await page.reload()
  await page.getByText('or it was revoked').waitFor()
})

test('a station has a bar of its own, without the shop’s, that leads staff to the desk and others to the shop', async () => {
  const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
  const assertAlone = async (page: Page) => {
    assert.equal(await page.getByRole('main').count(), 1)
    assert.equal(await page.getByRole('contentinfo').count(), 0)
    assert.equal(await page.getByRole('searchbox').count(), 0)
  }
  await using guest = await visit(`${server.url}/station`)
  await untilHydrated(guest.page)
  await assertAlone(guest.page)
  await bar(guest.page).getByRole('link', { name: 'View shop' }).click()
  await guest.page.getByRole('heading', { name: 'Seafood Categories' }).waitFor()

  await using staff = await visitAsManager(server, '/station')
  await assertAlone(staff.page)
  await assertAccessible(staff.page)
  await bar(staff.page).getByRole('link', { name: 'To the desk' }).click()
  await staff.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
})
