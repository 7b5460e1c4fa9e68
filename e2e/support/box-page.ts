import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Server } from './server.ts'
import { until } from './within.ts'

/** The sample box of the shop: site.json. */
export const sampleBox = '0345579444'

/** The parts of a proof with the ledger's progress. Source: protocol §5. */
type Proof = { records: unknown[]; anchors: { leaf: { count: number } }[] }

export const boxPath = (boxID: string): string => `/SFMBox/byId/${boxID}`

/** Waits until every record of the box is anchored, according to the shop's proof, past the page and its slow network. */
export const waitUntilAnchored = (page: Page, boxID: string): Promise<void> =>
  until(180, `all records of ${boxID} are anchored`, async () => {
    const proofUrl = new URL(`/api/box/${boxID}/proof`, page.url()).href
    const proof: Proof = await (await page.request.get(proofUrl)).json()
    return proof.anchors.at(-1)?.leaf.count === proof.records.length
  })

/** How the verdict on an unchanged history begins where nobody but the shop was asked. Source: protocol §6.7. */
export const UNCHANGED = 'Unchanged, by the ledger that the shop names; we asked nobody else'
export const unchanged = new RegExp(`^${UNCHANGED}\\.`)

/** Opens the page of a box and waits for the verdict in its head, like that it is unchanged. */
export async function verdictOnOpening(page: Page, boxID: string): Promise<string> {
  await page.goto(boxPath(boxID))
  return verdictInHead(page)
}

/** The verdict in the head, when the browser's check has finished. */
export async function verdictInHead(page: Page): Promise<string> {
  const line = page.locator('main header').getByRole('status')
  await line.filter({ hasNotText: 'Checking the records.' }).waitFor()
  return line.innerText()
}

/** The section in which a visitor verifies the box. What can be used in it is fetched when one comes near. */
export async function openCheckSection(page: Page): Promise<Locator> {
  const section = page.getByRole('region', { name: 'Check it yourself' })
  await section.scrollIntoViewIfNeeded()
  await section.getByRole('button', { name: /^Check(ing…| again)$/ }).waitFor()
  return section
}

/** A box of the sample data beside `sampleBox`. */
export async function anotherBox({ url }: Server): Promise<string> {
  const { rows }: { rows: { boxID: string }[] } = await (await fetch(`${url}/api/box`)).json()
  const other = rows.find(({ boxID }) => boxID !== sampleBox)
  assert.ok(other)
  return other.boxID
}

type Readings = { records: { seq: number; kind: string; data: { temperature: number } }[] }

/** Corrects the temperature of the nth reading of `sampleBox`, counted from 0. Answers what it was. */
export async function correctTemperature(server: Server, nth: number, temperature: number): Promise<number> {
  const { records }: Readings = await (await fetch(`${server.url}/api/box/${sampleBox}/proof`)).json()
  const reading = records.filter(({ kind }) => kind === 'tracking')[nth]
  assert.ok(reading)
  const { seq, data } = reading
  const answer = await server.call(`/api/box/${sampleBox}/correction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seq, reason: 'in the sun', data: { ...data, temperature } }),
  })
  assert.equal(answer.status, 201, await answer.text())
  return data.temperature
}
