import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digitalLinkPath, parseDigitalLink } from './digital-link.ts'

const GTIN = '09506000134352'
const SSCC = '376104250021234569'

test('links of the standard are read, and written the same', () => {
  const rightly = [
    `/00/${SSCC}`,
    `/01/${GTIN}`,
    `/01/${GTIN}/10/ABC-1.2_3`,
    `/01/${GTIN}/21/S-1`,
    `/01/${GTIN}/10/LOT%2F1/21/12%3A34`,
  ]
  for (const path of rightly) {
    const link = parseDigitalLink(path)
    assert.ok(!('reason' in link), path)
    assert.equal(digitalLinkPath(link), path)
  }
  assert.deepEqual(parseDigitalLink(`/01/${GTIN}/10/A%2FB`), {
    ai: '01',
    key: GTIN,
    lot: 'A/B',
    serial: null,
  })
})

test('another order, a wrong check digit, a missing or doubled part, a foreign character: each is refused', () => {
  const wrongly = [
    '',
    '/',
    '/00',
    '/00/',
    '/01',
    `/00/${SSCC.slice(0, -1)}8`,
    `/00/${SSCC}/10/A`,
    `/00/${GTIN}`,
    `/01/${SSCC}`,
    '/01/09506000134353',
    '/01/9506000134352',
    `/01/${GTIN}/21/1/10/A`,
    `/01/${GTIN}/10/A/10/B`,
    `/01/${GTIN}/10`,
    `/01/${GTIN}/10/`,
    `/01/${GTIN}/10/${'A'.repeat(21)}`,
    `/01/${GTIN}/10/%E2%82%AC`,
    `/01/${GTIN}/10/%`,
    `/01/${GTIN}/10/a%20b`,
    `/01/${GTIN}/22/2A`,
    `/01/${GTIN}/x`,
    `/02/${GTIN}`,
    `/gtin/${GTIN}`,
  ]
  for (const path of wrongly) assert.ok('reason' in parseDigitalLink(path), path)
})
