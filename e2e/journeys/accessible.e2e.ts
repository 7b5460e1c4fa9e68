import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere, assertNoSidewaysScroll } from '../support/accessible.ts'
import { visit } from '../support/browser.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const server = await startForFile(startServer())

const product = async (): Promise<string> => {
  const products: { _id: string; shelfPos: string }[] = await (
    await fetch(`${server.url}/api/product/active`)
  ).json()
  return `/product/${products.find(({ shelfPos }) => !shelfPos.startsWith('0'))?._id}`
}

/** What a page shows only when its script runs. */
const pages: [name: string, path: string | (() => Promise<string>), whole?: (page: Page) => Promise<void>][] =
  [
    ['home', '/'],
    ['categories', '/category'],
    ['a category', '/category/Fish'],
    ['products', '/product'],
    [
      'a product',
      product,
      (page) => page.getByRole('button', { name: 'Add to Cart' }).click({ trial: true }),
    ],
    ['an empty cart', '/cart', (page) => page.getByText('Cart is empty').waitFor()],
    [
      'a checkout without anything to order',
      '/checkout',
      (page) => page.getByText('There is nothing to order.').waitFor(),
    ],
    ['the project', '/about/project'],
    ['technologies', '/about/tech'],
    ['the team', '/about/us'],
    ['delivery and pick-up', '/about/delivery'],
    ['privacy', '/about/privacy'],
  ]

for (const [name, path, whole] of pages)
  test(`${name}: accessible and without horizontal scrolling on phone, tablet and desktop, in light and dark`, async () => {
    await using at = await visit(server.url)
    await at.page.goto(typeof path === 'string' ? path : await path())
    await whole?.(at.page)
    await assertAccessibleEverywhere(at.page)
  })

test('written from right to left the pages fit, too', async () => {
  await using at = await visit(server.url)
  const { page } = at
  for (const [, path] of pages) {
    await page.goto(typeof path === 'string' ? path : await path())
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await assertNoSidewaysScroll(page)
    }
  }
})

/** The palette's colours, as it tells them: for one scheme or for both. */
const palette = [
  ...readFileSync(join(import.meta.dirname, '../../web/src/styles/theme.css'), 'utf8').matchAll(
    /(--color-[a-z-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g,
  ),
].map(([, name = '', light, dark, both]) => ({ name, light: light ?? both, dark: dark ?? both }))

for (const path of ['/', '/field'])
  test(`${path} has the colours of the palette in light and in dark, and those of light on paper`, async () => {
    await using at = await visit(server.url)
    at.expectProblem(/401.*\/api\/field\/user/)
    const { page } = at
    await page.goto(path)
    assert.ok(palette.length > 30)
    const shown = () =>
      page.evaluate(
        (names) => {
          const probe = document.body.appendChild(document.createElement('i'))
          const colours = names.map((name) => {
            probe.style.color = `var(${name})`
            const parts = getComputedStyle(probe).color.match(/\d+/g) ?? []
            return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
          })
          probe.remove()
          return colours
        },
        palette.map(({ name }) => name),
      )
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      assert.deepEqual(
        await shown(),
        palette.map((colour) => colour[scheme]),
        scheme,
      )
    }
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    assert.deepEqual(
      await shown(),
      palette.map(({ light }) => light),
      'paper',
    )
  })

test('the 404 page is accessible, too, and stands where only development has a page', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/404/)
  await at.page.goto('/components')
  await at.page.getByRole('heading', { name: '404: Page not found' }).waitFor()
  await assertAccessibleEverywhere(at.page)
})

test('robots.txt, sitemap, manifest and icons are served', async () => {
  const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text()
  for (const path of ['/product', '/category/TunaAndKingfish', '/about/us'])
    assert.ok(sitemap.toLowerCase().includes(`<loc>${server.url}${path}</loc>`.toLowerCase()), path)
  const robots = await (await fetch(`${server.url}/robots.txt`)).text()
  for (const line of ['Disallow: /user/', 'Allow: /user/signin', `Sitemap: ${server.url}/sitemap.xml`])
    assert.ok(robots.split('\n').includes(line), line)
  const heads: [path: string, canonical: string | null][] = [
    ['/user/signin?next=%2Fuser%2Forder', '/user/signin'],
    ['/checkout', '/cart'],
    ['/user/activate/x', null],
  ]
  for (const [path, canonical] of heads) {
    const page = await (await fetch(server.url + path)).text()
    assert.equal(page.includes('content="noindex"'), canonical === null, path)
    if (canonical) assert.ok(page.includes(`rel="canonical" href="${server.url}${canonical}"`), path)
  }
  const home = await (await fetch(server.url)).text()
  const [, manifest = ''] = /<link rel="manifest" href="([^"]+)"/.exec(home) ?? []
  const { icons }: { icons: { src: string }[] } = await (await fetch(new URL(manifest, server.url))).json()
  for (const { src } of icons) assert.equal((await fetch(new URL(src, server.url))).status, 200, src)
  assert.match(home, /<script type="application\/ld\+json">/)
  assert.match(home, /property="og:image"/)
})
