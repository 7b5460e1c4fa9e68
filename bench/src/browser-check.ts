import { chromium, type Page } from 'playwright-core'
import { percentile } from './percentile.ts'
import { sized } from './sized.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']
const VISITS = sized(9, 1)
const TIMEOUT_MS = 120_000
const LOOK_MS = 2_000
const FOUND = /(\d+) of (\d+) records proven by your browser in (\d+)/

/** A visitor's verification as the page itself times it: all hashing and reading the chain, without the download. */
export type BrowserCheck = { proven: number; records: number; firstMs: number; medianMs: number }

/** Opens the page of a box in Chromium several times, and reads the verdict and its duration from the page. */
export async function checkInBrowser(origin: string, boxID: string): Promise<BrowserCheck> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(TIMEOUT_MS)
    const checks: Check[] = []
    for (let i = 0; i < VISITS; i++) checks.push(await checkOnce(page, `${origin}/SFMBox/byId/${boxID}`))
    const times = checks.map(({ tookMs }) => tookMs)
    const [first] = checks
    if (first === undefined) throw new Error('nothing was checked')
    const medianMs = percentile(times, 0.5)
    return { proven: first.proven, records: first.records, firstMs: first.tookMs, medianMs }
  } finally {
    await browser.close()
  }
}

type Check = { proven: number; records: number; tookMs: number }

async function checkOnce(page: Page, url: string): Promise<Check> {
  await page.goto(url)
  const words = page.getByText(FOUND)
  await untilTold(page, () => words.waitFor({ state: 'attached', timeout: LOOK_MS }))
  const text = (await words.textContent()) ?? ''
  const [, proven = 0, records = 0, tookMs = 0] = (FOUND.exec(text) ?? []).map(Number)
  return { proven, records, tookMs }
}

/**
 * What tells it is fetched when a visitor comes near, and is there when the check has ended. On a slow machine the page
 * is drawn after the first look and is longer then: a visitor goes on scrolling.
 */
async function untilTold(page: Page, look: () => Promise<void>): Promise<void> {
  const began = performance.now()
  for (;;) {
    await page.getByRole('region', { name: 'Check it yourself' }).scrollIntoViewIfNeeded()
    try {
      return await look()
    } catch (cause) {
      if (performance.now() - began < TIMEOUT_MS) continue
      const said = await page.locator('[data-verdict]').first().innerText()
      throw new Error(`the page does not tell what its check found: ${said}`, { cause })
    }
  }
}
