import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findReceipt } from '@befaqt/provenance/log/receipt'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import {
  anotherBox,
  boxPath,
  correctTemperature,
  sampleBox,
  unchanged,
  verdictInHead,
  verdictOnOpening,
  waitUntilAnchored,
} from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { falsifyBoxPage, olderCount, type PageData } from '../support/dishonest.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/within.ts'

/* The first box that somebody looks at makes a witness of the browser: the page of any other is held against the log that it saw. */

let server: Server
let other = ''
/** What the shop answered about the sample box before a reading was found to be warmer. */
let older: { plain: string; logged: string; page: PageData; count: number }

const answer = async (path: string): Promise<string> => (await fetch(server.url + path)).text()

/** Entries of the log as it is signed now. */
const signedEntries = async (): Promise<number> => {
  const receipt = await answer('/befaqt/log/receipt.txt')
  return receipt === '' ? 0 : findReceipt(receipt).checkpoint.size
}

/** Until the log has all that the ledger has of the sample box. Answers the entries that it needs for that. */
async function untilLogged(): Promise<number> {
  await using at = await visit(server.url)
  await waitUntilAnchored(at.page, sampleBox)
  const { anchors } = JSON.parse(await answer(`/api/box/${sampleBox}/proof`))
  const count = anchors.at(-1).index + 1
  await until(180, 'the log covers the newest anchor', async () => (await signedEntries()) >= count)
  return count
}

before(async () => {
  server = await startServer()
  other = await anotherBox(server)
  const count = await untilLogged()
  const path = `/api/box/${sampleBox}`
  const [plain, logged] = [await answer(`${path}/proof`), await answer(`${path}/proof?log=1`)]
  older = { plain, logged, page: JSON.parse(await answer(`${path}/page`)), count }
  await correctTemperature(server, 5, 9.87)
  await untilLogged()
})
after(() => server[Symbol.asyncDispose]())

const untilKept = (page: Page): Promise<void> =>
  until(60, 'the log is kept', () =>
    page.evaluate(async () =>
      (await caches.open('befaqt-log')).match('/befaqt/log/checkpoint').then(Boolean),
    ),
  )

/** The shop shows all of the sample box, with its ledger, as it was before. */
async function putBack(page: Page): Promise<void> {
  await olderCount(page, older.count)
  await falsifyBoxPage(page, sampleBox, () => older.page)
  for (const [query, body] of [
    ['', older.plain],
    ['?log=1', older.logged],
  ] as const)
    await page.route(
      (url) => url.pathname + url.search === `/api/box/${sampleBox}/proof${query}`,
      (route) => route.fulfill({ body, contentType: 'application/json' }),
    )
}

async function openByLink(page: Page): Promise<string> {
  await page.goto('/SFMBox/byId')
  await untilHydrated(page)
  await page.getByRole('link', { name: new RegExp(sampleBox) }).click()
  await page.waitForURL(`**${boxPath(sampleBox)}`)
  return verdictInHead(page)
}

test('a shop that was put back deceives who never was there, and nobody who looked at another box before', async () => {
  for (const isReturning of [false, true]) {
    await using at = await visit(server.url)
    at.expectProblem(/404/) // files of the log that the older one has not
    const { page } = at
    if (isReturning) {
      assert.match(await verdictOnOpening(page, other), unchanged)
      await untilKept(page)
    }
    await putBack(page)
    const verdict = await openByLink(page)
    if (!isReturning) {
      assert.match(verdict, unchanged)
      continue
    }
    assert.match(verdict, /^Older than what this browser saw\./)
    assert.match(verdict, new RegExp(`with \\d+ entries\\..* older state, of ${older.count} entr`))
    await assertAccessible(page)
    await saveScreenshot(page, 'box-older-log')
    await page.unrouteAll({ behavior: 'ignoreErrors' }) // an answer for what is live may still be on its way
    assert.match(await openByLink(page), unchanged, 'once the shop is as it was')
  }
})

test('a log that contradicts what this browser saw takes the whole head, until it is told to forget', async () => {
  await using at = await visit(server.url)
  const { page } = at
  assert.match(await verdictOnOpening(page, other), unchanged)
  await untilKept(page)
  const size = await page.evaluate(async () => {
    const cache = await caches.open('befaqt-log')
    const kept = await cache.match('/befaqt/log/checkpoint')
    const lines = (await kept?.text())?.split('\n') ?? []
    lines[2] = `${'A'.repeat(43)}=`
    const headers = Object.fromEntries(kept?.headers ?? [])
    await cache.put('/befaqt/log/checkpoint', new Response(lines.join('\n'), { headers }))
    return lines[1]
  })
  assert.match(await verdictOnOpening(page, sampleBox), /^Another log\./)
  const head = page.locator('main header')
  const words = await head.getByRole('status').innerText()
  assert.match(words, new RegExp(`with ${size} entr.*The log of this proof, with \\d+ entr.*contradicts it`))
  assert.ok((await head.getByText('not confirmed').count()) >= 3)
  await head.getByRole('link', { name: 'Compare it with the shop’s log of now' }).waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'box-another-log')
  assert.match(await verdictOnOpening(page, other), /^Another log\./, 'whatever box it is')
  await head.getByRole('button', { name: 'Forget what this browser saw' }).click()
  await head.getByRole('status').filter({ hasText: unchanged }).waitFor()
  await untilKept(page)
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
})
