import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { loggedBundle, partiesOf } from '@befaqt/provenance/testing/logged-shop'
import type { AnswerCall } from '@befaqt/provenance/testing/rpc-node'
import { Shop } from '@befaqt/provenance/testing/shop'
import type { Page } from 'playwright-core'

/** What no page may ever run or draw. */
export const HOSTILE = '<img src="x" onerror="window.struck = 1"><script>window.struck = 1</script>'

/** A box of three anchors whose texts try to become markup: caught, cooled on its way, handed over. */
export function hostileShop(): Shop {
  const shop = new Shop()
  shop.append('BOX-1', 'registration', {
    traderID: 't',
    traderName: HOSTILE,
    companyName: 'Sample Fisher',
    boat: 'Sample Boat',
    address: '',
  })
  shop.append('BOX-1', 'catch', {
    time: '2026-11-20 20:00:00',
    boat: 'Sample Boat',
    latitude: -33.6,
    longitude: 151.9,
    method: 'Handline',
    species: 'Snapper',
    size: 40,
    note: HOSTILE,
  })
  shop.anchor()
  for (let i = 0; i < 12; i++)
    shop.append('BOX-1', 'tracking', {
      time: `2026-11-21 0${Math.floor(i / 2)}:${i % 2 === 0 ? '00' : '30'}:00`,
      latitude: -33.6 - i * 0.02,
      longitude: 151.9 - i * 0.05,
      iotID: HOSTILE,
      temperature: i === 3 ? 6.2 : 1.5 + i / 10,
    })
  shop.anchor()
  shop.append('BOX-1', 'handover', {
    time: '2026-11-21 08:00:00',
    from: 'Sample Boat',
    to: HOSTILE,
    temperature: 2,
    accepted: true,
  })
  shop.append('BOX-2', 'registration')
  shop.anchor()
  return shop
}

/** Its proof, whose log two of three witnesses have signed just now. */
export const signedNow = (shop: Shop): Promise<ProofBundle> =>
  loggedBundle(shop, 'BOX-1', { timeS: Math.floor(Date.now() / 1000) })

/** A policy that asks for so many of the three witnesses. */
export const policyText = (k: number): string =>
  [...partiesOf(), `group some ${k} market university certifier`, 'quorum some', ''].join('\n')

/** The checker as it was built. */
export async function builtChecker(): Promise<Buffer> {
  const dist = process.env.WEB_DIST ?? join(import.meta.dirname, '../../web/dist')
  const newest = await readFile(join(dist, 'newest'), 'utf8').catch(() => '.')
  return readFile(join(dist, newest.trim(), 'client/check.html'))
}

/** Saves the checker to a folder. Returns its address as a file. */
export async function saveChecker(folder: string): Promise<string> {
  const file = join(folder, 'check.html')
  await writeFile(file, await builtChecker())
  return pathToFileURL(file).href
}

const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
})

export const choosePolicy = (page: Page, text: string): Promise<void> =>
  page.getByLabel('Your policy of witnesses, as a file').setInputFiles(file('policy.txt', text))

/** Opens a proof as a file, and waits for the verdict. Returns its text. */
export async function openProof(page: Page, proof: unknown): Promise<string> {
  const text = typeof proof === 'string' ? proof : JSON.stringify(proof)
  await page.getByLabel('A proof that you saved').setInputFiles(file('box.proof.json', text))
  return verdictText(page)
}

/** The verdict once it is there. */
export async function verdictText(page: Page): Promise<string> {
  await page.locator('#outcome:not([aria-busy]) #verdict').waitFor()
  return page.locator('#verdict').innerText()
}

/** Answers calls at an address as a node would that serves pages of any origin. */
export async function routeNode(page: Page, url: string, answer: AnswerCall): Promise<void> {
  await page.route(url, async (route) => {
    const calls = JSON.parse(route.request().postData() ?? '[]')
    await route.fulfill({
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
      json: calls.map(({ id, method, params }: { id: number; method: string; params: unknown[] }) => ({
        jsonrpc: '2.0',
        id,
        result: answer(method, params),
      })),
    })
  })
}
