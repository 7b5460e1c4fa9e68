import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDigitalLink, ssccOf } from '@befaqt/domain/gs1'
import digitalLink from 'digital-link.js'
import { eq } from 'drizzle-orm'
import { boxes } from '#server/db/schema/boxes.ts'
import { categories, productBoxes, products } from '#server/db/schema/shop.ts'
import { shopWithBoxes } from '#server/testing/readings.ts'

/** GS1's fictitious prefix and GTIN. */
const PREFIX = '9506000'
const GTIN = '09506000134352'
const env = { GS1_COMPANY_PREFIX: PREFIX, PUBLIC_URL: 'https://shop.example' }

test('a link leads to the page of its box, to other documents by type, or lists them all', async () => {
  await using shop = await shopWithBoxes(['BOX-1', 'BOX-2'], { env })
  const { app, deps } = shop
  const [row] = await deps.db.select().from(boxes).where(eq(boxes.id, 'BOX-2'))
  const sscc = ssccOf(PREFIX, row?.labelNumber ?? -1)
  const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const page = 'https://shop.example/SFMBox/byId/BOX-2'

  const plain = await ask(`/00/${sscc}`)
  assert.deepEqual([plain.statusCode, plain.headers.location], [307, page])
  const set = `<https://shop.example/00/${sscc}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`
  assert.equal(plain.headers.link, set)
  assert.equal(plain.headers['access-control-allow-origin'], '*')
  assert.equal((await ask(`/00/${sscc}?a=1&b=%20`)).headers.location, `${page}?a=1&b=%20`)
  for (const type of ['gs1:traceability', 'https://ref.gs1.org/voc/traceability']) {
    const query = `linkType=${encodeURIComponent(type)}`
    assert.equal((await ask(`/00/${sscc}?${query}`)).headers.location, `${page}?${query}`)
  }
  for (const way of [`/01/${GTIN}/10/BOX-2`, `/01/${GTIN}/21/BOX-2`, `/01/${GTIN}/10/BOX-2/21/7`])
    assert.equal((await ask(way)).headers.location, page)
  assert.equal((await ask(`/00/${sscc}?linkType=gs1:pip`)).statusCode, 404, 'nothing from it is on sale')

  await deps.db.insert(categories).values({ id: 'c', title: 'C', titleKey: 'c', shelfPos: '1' })
  await deps.db.insert(products).values({ id: 'p', title: 'Fish', categoryId: 'c', priceCents: 100 })
  await deps.db.insert(productBoxes).values({ productId: 'p', boxId: 'BOX-2', unit: 'kg' })
  deps.catalogue.clear()
  const pip = await ask(`/00/${sscc}?linkType=gs1:pip`)
  assert.deepEqual(
    [pip.statusCode, pip.headers.location],
    [307, 'https://shop.example/product/p?linkType=gs1:pip'],
  )

  for (const listed of [
    await ask(`/00/${sscc}?linkType=linkset`),
    await ask(`/00/${sscc}`, { accept: 'text/html;q=0.1, application/linkset+json' }),
  ]) {
    assert.equal(listed.statusCode, 200)
    assert.match(String(listed.headers['content-type']), /^application\/linkset\+json/)
    const { linkset } = listed.json()
    assert.equal(linkset[0].anchor, `https://shop.example/00/${sscc}`)
    for (const [relation, targets] of Object.entries(linkset[0]))
      if (relation !== 'anchor')
        for (const target of targets as Record<string, unknown>[]) {
          assert.ok(URL.canParse(relation), 'relations are absolute')
          assert.deepEqual(Object.keys(target).sort(), ['href', 'hreflang', 'title', 'type'])
          const { pathname } = new URL(String(target.href))
          if (pathname.startsWith('/api/')) assert.equal((await ask(pathname)).statusCode, 200, pathname)
        }
  }

  const { admin } = shop
  const types = async () => {
    const { linkset } = (await ask(`/00/${sscc}?linkType=linkset`)).json()
    return ['pip', 'recallStatus'].map((type) => `https://ref.gs1.org/voc/${type}` in linkset[0])
  }
  assert.deepEqual(await types(), [true, false])
  await admin('PUT', '/api/box/BOX-2/sale', { offSale: true, reason: 'Too warm' })
  assert.deepEqual(await types(), [false, false], 'nothing of it is sold')
  await admin('POST', '/api/box/BOX-2/recall', { reason: 'Too warm' })
  assert.deepEqual(await types(), [false, true])
})

test('bad syntax is 400, what there is not is 404, both for other sites too; nothing that fails is 200', async () => {
  await using shop = await shopWithBoxes(['BOX-1'], { env })
  const status = async (url: string) => (await shop.app.inject({ url })).statusCode
  for (const url of [
    '/01/09506000134353',
    '/01/9506000134352',
    `/01/${GTIN}/21/1/10/A`,
    `/00/${GTIN}`,
    '/00/x',
    `/01/${GTIN}/10/%E2%82%AC`,
    '/00/376104250021234568',
  ]) {
    const answer = await shop.app.inject({ url })
    assert.equal(answer.statusCode, 400, url)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  }
  for (const url of [
    `/00/${ssccOf(PREFIX, 99_999)}`,
    '/00/376104250021234569',
    `/01/${GTIN}`,
    `/01/${GTIN}/10/BOX-9`,
    '/01/00012345678905/10/BOX-1',
    `/01/${GTIN}/10/BOX-1?linkType=gs1:recipeInfo`,
    `/01/${GTIN}/10/BOX-1?linkType=`,
    `/01/${GTIN}/10/BOX-1?linkType=all`,
  ])
    assert.equal(await status(url), 404, url)
  const preflight = await shop.app.inject({ method: 'OPTIONS', url: `/01/${GTIN}` })
  assert.deepEqual([preflight.statusCode, preflight.headers['access-control-allow-origin']], [204, '*'])
  const head = await shop.app.inject({ method: 'HEAD', url: `/01/${GTIN}/10/BOX-1` })
  assert.deepEqual([head.statusCode, head.body], [307, ''])
  const about = (await shop.app.inject('/.well-known/gs1resolver')).json()
  assert.deepEqual([about.resolverRoot, about.supportedPrimaryKeys], ['https://shop.example', ['00', '01']])
})

test('without a company prefix no key is ours, and the label holds the address of the page', async () => {
  await using shop = await shopWithBoxes(['BOX-1'])
  assert.equal((await shop.app.inject(`/01/${GTIN}/10/BOX-1`)).statusCode, 404)
  assert.equal((await shop.app.inject(`/00/${ssccOf(PREFIX, 1)}`)).statusCode, 404)
  const { body } = await shop.app.inject('/api/box/BOX-1/label.svg')
  assert.doesNotMatch(body, /\(00\)/)
})

test('a second implementation agrees on what a link is', () => {
  const rightly = [
    `/00/${ssccOf(PREFIX, 42)}`,
    `/01/${GTIN}`,
    `/01/${GTIN}/10/BOX-1`,
    `/01/${GTIN}/10/BOX-1/21/7`,
  ]
  const wrongly = ['/00/376104250021234568', '/01/09506000134353', `/01/${GTIN}/21/7/10/BOX-1`]
  const isValid = (path: string): boolean => {
    try {
      return digitalLink.DigitalLink(`https://shop.example${path}`).isValid()
    } catch {
      return false
    }
  }
  for (const path of rightly)
    assert.deepEqual([isValid(path), 'reason' in parseDigitalLink(path)], [true, false], path)
  for (const path of wrongly)
    assert.deepEqual([isValid(path), 'reason' in parseDigitalLink(path)], [false, true], path)
})
