import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { honestAnswers } from '@befaqt/provenance/testing/rpc-node'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { sampleBox, UNCHANGED, waitUntilAnchored } from '../support/box-page.ts'
import { type Visit, visit } from '../support/browser.ts'
import {
  choosePolicy,
  HOSTILE,
  hostileShop,
  openProof,
  policyText,
  routeNode,
  saveChecker,
  signedNow,
  verdictText,
} from '../support/checker.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'

/*
 * The checker in one file: opened from the disk, where it needs no network at all, and from a shop. Every journey fails
 * where the browser sends a request that it does not name, or the page's policy refuses something.
 */

let server: Server
let folder: string
let file: string
const shop = hostileShop()

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'befaqt-checker-'))
  server = await startServer()
  file = await saveChecker(folder)
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Nothing of a proof became markup or ran. */
async function assertInert(page: Page): Promise<void> {
  assert.equal(await page.locator('#outcome img, #outcome script').count(), 0)
  assert.equal(await page.evaluate(() => 'struck' in window), false)
}

test('from the disk, without a network: what a quorum of one’s own policy has signed is proven and drawn', async () => {
  await using at = await visit(file)
  const { page } = at
  await page.getByText('opened from a file, so there is none beside it').waitFor()
  const proof = await signedNow(shop)
  assert.match(await openProof(page, proof), /^Nobody was asked[\s\S]*name a policy of your own/)
  await page.getByText('Nothing here is proven, so nothing is drawn as a fact.').waitFor()
  assert.equal(await page.locator('#outcome .drawing:visible').count(), 0)

  await choosePolicy(page, policyText(2))
  const verdict = page.locator('#verdict')
  await verdict.filter({ hasText: 'Records verified' }).waitFor()
  const said = await verdict.innerText()
  assert.match(said, /Witnessed by 2 of 3 \(market, \d+ \w+ ago; university, \d+ \w+ ago\), up to record 15/)
  assert.match(said, /Chain: no node was asked/)
  const facts = page.locator('.facts')
  assert.match(
    await facts.locator('dl').innerText(),
    /Snapper Chrysophrys auratus[\s\S]*Handline[\s\S]*33\.6000° S, 151\.9000° E[\s\S]*Sample Boat/,
  )
  assert.match(await facts.innerText(), /Was above 5 °C\. Warmest 6\.2 °C/)
  assert.equal(await facts.getByRole('img').count(), 2, 'temperatures and the way')
  assert.ok((await facts.innerText()).includes(HOSTILE), 'as it is written')
  await page.locator('.records details').nth(2).locator('summary').click()
  await page.getByText(`"iotID": ${JSON.stringify(HOSTILE)}`).waitFor()
  assert.equal(await page.locator('.state.anchored').count(), 15)
  await assertInert(page)
  await assertAccessible(page)
  for (const width of [360, 768, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.ok(wide <= 0, `${width}: wider by ${wide}`)
      await saveScreenshot(page, `checker-${width}-${colorScheme}`)
    }
})

test('a quorum that is missed, a policy that contradicts itself, and none: each says what it is worth', async () => {
  await using at = await visit(file)
  const { page } = at
  await choosePolicy(page, policyText(3))
  assert.match(
    await openProof(page, await signedNow(shop)),
    /^Not proven[\s\S]*Signed by 2 of 3 [\s\S]*fewer than the policy asks for/,
  )
  await choosePolicy(page, policyText(2).replace('quorum some', 'quorum others'))
  await page
    .getByText('the file policy.txt is no policy: line 6 names what no line before it does.')
    .waitFor()
  await page.getByRole('button', { name: 'Use no policy' }).click()
  await page.locator('#verdict').filter({ hasText: 'name a policy of your own' }).waitFor()
  // A link brings a policy only once its reader says so.
  await page.goto(`about:blank`)
  await page.goto(`${file}#policy=${encodeURIComponent(policyText(2))}`)
  await openProof(page, await signedNow(shop))
  await page.getByText('No policy: no witness counts.').waitFor()
  await page.getByRole('button', { name: 'Use the policy of this link' }).click()
  await page.locator('#verdict').filter({ hasText: 'Records verified' }).waitFor()
})

test('what was forged is named, and nothing of it is drawn', async () => {
  await using at = await visit(file)
  const { page } = at
  await choosePolicy(page, policyText(2))
  const proof = await signedNow(shop)
  const text = JSON.stringify(proof)
  const checkpoint = proof.log?.checkpoint ?? ''
  const another = checkpoint.replace(
    /(.)(.{10})\n$/,
    (_, letter, rest) => `${letter === 'A' ? 'B' : 'A'}${rest}\n`,
  )
  const forgeries: [string, unknown, RegExp][] = [
    ['a record', text.replace('"temperature":6.2', '"temperature":2.2'), /^Altered/],
    [
      'a signature',
      { ...proof, log: { ...proof.log, checkpoint: another } },
      /^Altered[\s\S]*not signed by those whose names it bears/,
    ],
    [
      'the last record',
      { ...proof, records: proof.records.slice(0, -1) },
      /^Not proven[\s\S]*does not show this box in the newest state that they signed/,
    ],
    [
      'a proof of the log',
      { ...proof, log: { ...proof.log, inclusion: {} } },
      /^Not a BeFAQT proof[\s\S]*\$\.log\.inclusion/,
    ],
    ['the log', shop.bundleOf('BOX-1'), /^Not proven[\s\S]*no log, so no witness vouches for it/],
    ['all', '<script>window.struck = 1</script>', /^Not a BeFAQT proof/],
  ]
  for (const [what, forged, verdict] of forgeries) {
    assert.match(await openProof(page, forged), verdict, what)
    assert.equal(await page.locator('#outcome .drawing:visible').count(), 0, what)
    await assertInert(page)
  }
})

/** Requests to this address alone are expected. */
const expectRequests = (at: Visit, url: string): void =>
  at.expectProblem(new RegExp(`^request to elsewhere: ${url.replaceAll('.', '\\.')}`))

test('a node that the visitor types: it alone is asked, and what it contradicts is broken', async () => {
  await using at = await visit(file)
  const { page } = at
  const [honest, other] = ['https://node.example/rpc', 'https://other.example/rpc']
  expectRequests(at, honest)
  expectRequests(at, other)
  await routeNode(page, honest, honestAnswers(shop))
  const another = hostileShop()
  another.append('BOX-3', 'registration')
  another.anchors.pop()
  another.anchor()
  await routeNode(page, other, honestAnswers(another))
  await page.getByLabel('A node of the chain').fill(honest)
  assert.match(
    await openProof(page, await signedNow(shop)),
    /^Records verified[\s\S]*node\.example, which says that it is chain 84532: which you named, and which the shop does not run/,
  )
  await page.getByLabel('A node of the chain').fill(other)
  await choosePolicy(page, policyText(2))
  await page.locator('#verdict').filter({ hasText: 'Altered' }).waitFor()
  await page.getByText('The log and the ledger hold two different things of anchor 2').waitFor()
  await page.getByLabel('A node of the chain').fill('http://node.example')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Name the https address of a node').waitFor()
})

test('from the shop, by address and number: its own node is asked, and what that is worth is said', async () => {
  await using at = await visit(`${server.url}/check.html#box=${sampleBox}`)
  at.expectProblem(/404/)
  const { page } = at
  await waitUntilAnchored(page, sampleBox)
  await page.getByText('serves none beside this checker').waitFor()
  await page.getByLabel('The shop’s address').fill(server.url)
  await page.getByLabel('The number of the box').press('Enter')
  const said = await verdictText(page)
  assert.ok(said.startsWith(UNCHANGED), said)
  assert.match(said, /the node of the shop itself\. Chain 31337 is a development chain/)
  await page.getByText(/^Drawn by this checker from \d+ proven records/).waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'checker-shop')

  await page.getByLabel('The number of the box').fill('9999999999')
  await page.getByRole('button', { name: 'Check this box' }).click()
  await page
    .locator('#verdict')
    .filter({ hasText: 'Never recorded, by the ledger that the shop names' })
    .waitFor()
  await page.getByLabel('The number of the box').fill('two words')
  await page.getByRole('button', { name: 'Check this box' }).click()
  await page.getByText('Type the number of the box, as on its label.').waitFor()
})

test('from the disk at a shop: only its proof and its node are asked', async () => {
  await using at = await visit(file)
  at.expectProblem(/404/)
  const asked: string[] = []
  at.page.on('request', (request) => {
    if (request.url().startsWith('http')) asked.push(request.url())
  })
  expectRequests(at, server.url)
  await at.page.getByLabel('The shop’s address').fill(server.url)
  await at.page.getByLabel('The number of the box').fill(sampleBox)
  await at.page.getByRole('button', { name: 'Check this box' }).click()
  assert.ok((await verdictText(at.page)).startsWith(UNCHANGED))
  assert.deepEqual(
    [...new Set(asked)],
    [`${server.url}/api/box/${sampleBox}/proof?log=1&scales=1`, `${server.url}/api/chain/rpc`],
  )
})
