import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Site } from '@befaqt/domain/api/site-api'
import { type Head, jsonLdText, pageTitle, previewTags, shortened } from './head-tags.ts'

const site: Site = {
  name: 'BeFAQT',
  fullName: 'Blockchain enabled Fish provenance And Quality Tracking',
  publicUrl: 'https://fish.example',
  market: { name: 'Market', timeZone: 'Australia/Sydney', latitude: 0, longitude: 0 },
  pickUp: { name: 'Sydney Fish Market', latitude: -33.8727, longitude: 151.1925 },
  today: '2026-11-22',
  asOf: '2026-11-22T00:00:00Z',
  partners: [],
  award: { text: '', url: '' },
  sampleBox: 'B1',
  pages: [],
  seller: null,
  map: { tiles: null, attribution: null },
  chain: { chainId: 1, embedded: true, rpc: '', contract: null },
  sample: false,
  cardPayment: false,
  orderLimits: { lineKg: 20, linePieces: 50 },
  outbox: false,
}

const content = (head: Head, name: string) =>
  previewTags(head, site).find((meta) => meta.name === name || meta.property === name)?.content

test('the title ends with the shop’s name; the home page has the full name', () => {
  assert.equal(pageTitle({ title: 'Snapper' }, site), 'Snapper · BeFAQT')
  assert.equal(pageTitle({}, site), `BeFAQT: ${site.fullName}`)
})

test('URL and picture of OpenGraph are absolute on the own origin', () => {
  const head = { title: 'Snapper', canonical: '/product/7', image: '/api/file/a.webp' }
  assert.equal(content(head, 'og:url'), 'https://fish.example/product/7')
  assert.equal(content(head, 'og:image'), 'https://fish.example/api/file/a.webp')
  assert.equal(content({}, 'og:image'), 'https://fish.example/og-default.png')
})

test('descriptions are cut between words at 160 characters', () => {
  const long = shortened('fish '.repeat(100))
  assert.ok(long.length <= 160)
  assert.match(long, /fish…$/)
  assert.equal(shortened(' two\n lines '), 'two lines')
})

test('structured data cannot close the script element that carries it', () => {
  const json = jsonLdText([{ name: '</script><script>alert(1)' }])
  assert.ok(!json.includes('<'))
  assert.equal(JSON.parse(json)['@graph'][0].name, '</script><script>alert(1)')
})
