import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote } from '@befaqt/provenance/log/note'
import { cosign, signCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { newSigner } from '@befaqt/provenance/testing/log'
import { partiesOf, witnesses } from '@befaqt/provenance/testing/logged-shop'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import {
  openCheckSection,
  sampleBox,
  unchanged,
  verdictInHead,
  verdictOnOpening,
  waitUntilAnchored,
} from '../support/box-page.ts'
import { visit } from '../support/browser.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/within.ts'

/* A visitor who brings a policy of witnesses: what they signed below the shop's log counts for more than its own node. */

let server: Server
let proof: { log: { checkpoint: string } }

before(async () => {
  server = await startServer()
  await using at = await visit(server.url)
  await waitUntilAnchored(at.page, sampleBox)
  await until(180, 'the log covers the newest anchor', async () => {
    const { log, ...rest } = await (await fetch(`${server.url}/api/box/${sampleBox}/proof?log=1`)).json()
    proof = { ...rest, log }
    return (
      log !== undefined && parseCheckpoint(parseNote(log.checkpoint).text).size > rest.anchors.at(-1).index
    )
  })
})
after(() => server[Symbol.asyncDispose]())

/** Two of three witnesses have signed the log that the shop shows this browser, which here has a key of the test. */
async function signed(page: Page, change: (note: string) => string = (note) => note): Promise<string> {
  const checkpoint = parseCheckpoint(parseNote(proof.log.checkpoint).text)
  const log = newSigner(checkpoint.origin)
  const timeS = Math.floor(Date.now() / 1000)
  const lines = witnesses.slice(0, 2).map((signer) => cosign(checkpoint, signer, timeS))
  const note = change(signCheckpoint(checkpoint, log) + lines.join(''))
  await page.unroute('**/proof?log=1')
  await page.route('**/proof?log=1', (route) =>
    route.fulfill({ json: { ...proof, log: { ...proof.log, checkpoint: note } } }),
  )
  return [...partiesOf(witnesses, log), 'group two 2 market university certifier', 'quorum two', ''].join(
    '\n',
  )
}

const LABEL = /^Count the signatures of witnesses/

/** Picks a file as the policy. */
async function choose(page: Page, policy: string): Promise<void> {
  const section = await openCheckSection(page)
  await section
    .getByLabel(LABEL)
    .setInputFiles({ name: 'policy.txt', mimeType: 'text/plain', buffer: Buffer.from(policy) })
}

test('a policy of one’s own: the head says who has signed, also at the next visit, until it is forgotten', async () => {
  await using at = await visit(server.url)
  const { page } = at
  const policy = await signed(page)
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
  await choose(page, policy)
  const head = page.locator('main header').getByRole('status')
  await head.filter({ hasText: /^Records verified\./ }).waitFor()
  assert.match(await head.innerText(), /Witnessed by 2 of 3 \(market, \d+ \w+ ago; university, \d+ \w+ ago\)/)
  await page.getByText('your own policy names them').waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'box-witnesses')
  await page.reload()
  assert.match(await verdictInHead(page), /^Records verified\./)
  const section = await openCheckSection(page)
  await section.getByRole('button', { name: 'Forget it' }).click()
  await head.filter({ hasText: unchanged }).waitFor()
})

test('a false signature is named, and a file that is no policy says in which line', async () => {
  await using at = await visit(server.url)
  const { page } = at
  // One letter of the last signature is another
  const policy = await signed(page, (note) =>
    note.replace(/(.)(.{10})\n$/, (_, letter, rest) => `${letter === 'A' ? 'B' : 'A'}${rest}\n`),
  )
  await verdictOnOpening(page, sampleBox)
  await choose(page, policy.replace('quorum two', 'quorum twice'))
  await page.getByText('This is no policy: line 6 names what no line before it does.').waitFor()
  await choose(page, policy)
  const head = page.locator('main header').getByRole('status')
  await head.filter({ hasText: /^Altered\./ }).waitFor()
  await page.getByText('is not signed by those whose names it bears').first().waitFor()
})
