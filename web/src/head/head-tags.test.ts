import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Site } from '@befaqt/domain/api/site-api'
import { headTags, shortened } from './head-tags.ts'

const site: Site = {
  name: 'BeFAQT',
  fullName: 'Blockchain enabled Fish provenance And Quality Tracking',
  publicUrl: 'https://fish.example',
  market: { name: 'Market', timeZone: 'Australia/Sydney', latitude: 0, longitude: 0 },
  partners: [],
  award: { text: '', url: '' },
  sampleBox: 'B1',
  map: { tiles: null, attribution: null },
  chain: { chainId: 1, embedded: true, rpc: '', contract: null },
  sample: false,
  outbox: false,
}

const content = (tags: ReturnType<typeof headTags>, name: string) =>
  tags.metas.find((meta) => meta.name === name || meta.property === name)?.content

test('title carries the name of the shop; the home page carries the full name', () => {
  assert.equal(headTags({ title: 'Snapper' }, site).title, 'Snapper · BeFAQT')
  assert.equal(headTags({}, site).title, `BeFAQT: ${site.fullName}`)
})

test('canonical address, picture and OpenGraph are absolute on the own origin', () => {
  const tags = headTags({ title: 'Snapper', canonical: '/product/7', image: '/api/file/a.webp' }, site)
  assert.equal(tags.canonical, 'https://fish.example/product/7')
  assert.equal(content(tags, 'og:url'), 'https://fish.example/product/7')
  assert.equal(content(tags, 'og:image'), 'https://fish.example/api/file/a.webp')
  assert.equal(content(headTags({}, site), 'og:image'), 'https://fish.example/og-default.png')
})

test('a page without an address of its own is not to be indexed', () => {
  assert.equal(content(headTags({ title: 'Your cart' }, site), 'robots'), 'noindex')
  assert.equal(content(headTags({ canonical: '/' }, site), 'robots'), undefined)
})

test('descriptions are cut between words at 160 characters', () => {
  const long = shortened('fish '.repeat(100))
  assert.ok(long.length <= 160)
  assert.match(long, /fish…$/)
  assert.equal(shortened(' two\n lines '), 'two lines')
})

test('structured data cannot end the script that carries it', () => {
  const [json] = headTags({ jsonLd: [{ name: '</script><script>alert(1)' }] }, site).jsonLd
  assert.ok(json && !json.includes('<'))
  assert.equal(JSON.parse(json).name, '</script><script>alert(1)')
})
