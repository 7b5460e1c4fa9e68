import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Put into a document once. @axe-core/playwright does it for every look, and again in a page that it opens for that. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    /** In a page that it was put into. */
    axe: typeof axe
  }
}

const rules: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/** Narrow phone, tablet, desk. Pixels. */
const widths = [320, 768, 1280] as const
const schemes = ['light', 'dark'] as const

/** Waits until what moves or fades by itself has come to rest: axe would read the colours on the way. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const ending = () =>
      document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await painted()
    while (ending().some((one) => one.playState === 'running')) {
      await Promise.allSettled(ending().map((one) => one.finished))
      await painted()
    }
  })
}

/** Fails with every rule of WCAG 2.2 AA and good practice that the page breaks as it is shown now, and where. */
export async function assertAccessible(page: Page): Promise<void> {
  await atRest(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  const violations = await page.evaluate(
    async (options) => (await window.axe.run(document, options)).violations,
    rules,
  )
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} — ${node.target.join(' ')} — ${node.failureSummary ?? ''}`),
  )
  assert.deepEqual(found, [], `${page.url()} is accessible`)
}

/** Fails when a page can be scrolled sideways at its present width, naming what sticks out. */
export async function assertNoSidewaysScroll(page: Page): Promise<void> {
  const sticking = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (el) => el.getBoundingClientRect().right > width,
    )
    return wide
      .slice(0, 5)
      .map((el) => `<${el.tagName.toLowerCase()} class="${el.getAttribute('class') ?? ''}">`)
  })
  assert.deepEqual(sticking, [], `${page.url()} fits its width`)
}

/** Both of these at 320, 768 and 1280 pixels, in light and dark. Leaves the page at the size it had. */
export async function assertAccessibleEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize()
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await assertAccessible(page)
      await assertNoSidewaysScroll(page)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
