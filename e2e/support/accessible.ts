import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Injected once per document. @axe-core/playwright does it for every run, and again in a page that it opens. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    /** Set in pages where it was injected. */
    axe: typeof axe
  }
}

const rules: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/** What depends on colours, which are all that the dark scheme changes. */
const colourRules: axe.RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** Narrow phone, tablet, desktop. Pixels. */
const widths = [320, 768, 1280] as const

/**
 * Takes animations to their end: axe would read colours in between. Those of content that is not laid out yet
 * (`content-visibility`) don't advance by themselves, so that waiting for them may never end. And scrolls to the top: the
 * header covers a part of what has just scrolled below it, which axe would call too small to be touched.
 */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    window.scrollTo({ top: 0, behavior: 'instant' })
    const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const running = () =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
    await painted()
    for (let round = 0; round < 10 && running().length > 0; round++) {
      for (const one of running()) one.finish()
      await painted()
    }
  })
}

/** Fails with every violation of WCAG 2.2 AA and good practice on the page in its current state. */
export const assertAccessible = (page: Page): Promise<void> => assertRules(page, rules)

/**
 * Lays out all that waits until one comes near (`when-near`), or leaves it to the browser again: what is not laid out has
 * colours and places of before, which axe would measure.
 */
async function layOutAll(page: Page, isWanted: boolean): Promise<void> {
  await page.evaluate((all) => {
    document.adoptedStyleSheets = []
    if (!all) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.when-near { content-visibility: visible !important }')
    document.adoptedStyleSheets = [sheet]
  }, isWanted)
}

async function assertRules(page: Page, options: axe.RunOptions): Promise<void> {
  await layOutAll(page, true)
  await atRest(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  const violations = await page.evaluate(
    async (asked) => (await window.axe.run(document, asked)).violations,
    options,
  )
  await layOutAll(page, false)
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} — ${node.target.join(' ')} — ${node.failureSummary ?? ''}`),
  )
  assert.deepEqual(found, [], `${page.url()} is accessible`)
}

/** Fails when a page scrolls horizontally at its current width, naming the overflowing elements. */
export async function assertNoSidewaysScroll(page: Page): Promise<void> {
  const sticking = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (el) => el.getBoundingClientRect().right > width || el.getBoundingClientRect().left < 0,
    )
    return wide
      .slice(0, 5)
      .map((el) => `<${el.tagName.toLowerCase()} class="${el.getAttribute('class') ?? ''}">`)
  })
  assert.deepEqual(sticking, [], `${page.url()} fits its width`)
}

/** Both checks at 320, 768 and 1280 pixels, and colours in the dark scheme too. Restores the page's size. */
export async function assertAccessibleEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertRules(page, colourRules)
  }
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}
