import type { Locator, Page } from 'playwright-core'

/** The sample box of the shop: site.json. */
export const sampleBox = '0345579444'

/** The parts of a proof with the ledger's progress. Source: protocol §5. */
type Proof = { records: unknown[]; anchors: { leaf: { count: number } }[] }

export const boxPath = (boxID: string): string => `/SFMBox/byId/${boxID}`

/** Waits until every record of the box is anchored, according to the shop's proof. */
export async function waitUntilAnchored(page: Page, boxID: string): Promise<void> {
  await page.waitForFunction(
    async (path) => {
      const proof: Proof = await (await fetch(path)).json()
      return proof.anchors.at(-1)?.leaf.count === proof.records.length
    },
    `/api/box/${boxID}/proof`,
    { polling: 200, timeout: 180_000 },
  )
}

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
