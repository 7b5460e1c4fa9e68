import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { loggedBundle, logOf } from '@befaqt/provenance/testing/logged-shop'
import { startWitness, type WitnessProcess } from '@befaqt/provenance/testing/witness-process'
import type { Page } from 'playwright-core'
import { visit } from '../support/browser.ts'
import {
  builtChecker,
  choosePolicy,
  hostileShop,
  openProof,
  policyText,
  signedNow,
} from '../support/checker.ts'

/*
 * The checker as a witness serves it, with the policy of the witness beside it: nothing that the visitor uses is the
 * shop's. The host's names are told to the browser; what is answered is the process's own.
 */

const WITNESS = 'https://market.example'
const SHOP = 'https://fish.example'

let folder: string
let witness: WitnessProcess
let proof: ProofBundle
const shop = hostileShop()

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'befaqt-checker-'))
  const log = logOf(shop)
  const checker = join(folder, 'check.html')
  await writeFile(checker, await builtChecker())
  witness = await startWitness({ folder: join(folder, 'witness'), log: log.signer.key, checker })
  const signed = await witness.add(await log.request(0))
  assert.equal(signed.status, 200, signed.text)
  const bare = await loggedBundle(shop, 'BOX-1', { log, signers: [] })
  proof = {
    ...bare,
    log: { inclusion: {}, ...bare.log, checkpoint: (bare.log?.checkpoint ?? '') + signed.text },
  }
})
after(async () => {
  await witness[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Answers for a host as the witness does, whoever's it is. */
async function serveAs(page: Page, host: string, policy?: string): Promise<void> {
  await page.route(`${host}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (policy !== undefined && pathname === '/check-policy.txt') return route.fulfill({ body: policy })
    const answer = await fetch(witness.url + pathname)
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    })
  })
}

test('a witness’s checker, under its policy, proves what that witness signed', async () => {
  await using at = await visit('about:blank')
  at.expectProblem(/^request to elsewhere: https:\/\/market\.example\/check(-policy\.txt)?$/)
  const { page } = at
  await serveAs(page, WITNESS)
  await page.goto(`${WITNESS}/check`)
  await page.getByText('The policy is that of market.example, which serves this checker.').waitFor()
  await page.getByText('these count for nothing here: market.example/witness-ml').waitFor()
  const said = await openProof(page, proof)
  assert.match(
    said,
    /^Records verified[\s\S]*Witnessed by 1 of 1 \(market\.example\/witness-ed, \d+ \w+ ago\)/,
  )
  await page.locator('.facts').getByText('Snapper').waitFor()
  assert.match(
    await openProof(page, await signedNow(shop)),
    /^Not proven[\s\S]*fewer than the policy asks for/,
  )
})

test('the same policy beside a checker of the shop’s own host is the shop’s word, until a visitor brings one', async () => {
  await using at = await visit('about:blank')
  at.expectProblem(/^request to elsewhere: https:\/\/fish\.example\/check(-policy\.txt)?$/)
  const { page } = at
  await serveAs(page, SHOP, policyText(2))
  await page.goto(`${SHOP}/check`)
  await page.getByText('The policy is that of fish.example').waitFor()
  const said = await openProof(page, await signedNow(shop))
  assert.match(said, /^Unchanged, by the ledger that the shop names; we asked nobody else/)
  assert.match(said, /Witnessed by 2 of 3 .*, by witnesses that the shop names\./)
  assert.equal(await page.locator('.verdict.own').count(), 1)
  await choosePolicy(page, policyText(2))
  await page.locator('#verdict').filter({ hasText: 'Records verified' }).waitFor()
})
