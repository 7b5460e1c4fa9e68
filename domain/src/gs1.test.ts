import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDigit, digitalLinkPath, isGs1Key, numberOfSscc, parseDigitalLink, ssccOf } from './gs1.ts'

test('check digits are those of the standard', () => {
  assert.equal(checkDigit('0950600013435'), 2) // GS1's fictitious GTIN 09506000134352
  assert.equal(checkDigit('37610425002123456'), 9) // the example of the General Specifications
  assert.equal(isGs1Key('09506000134352', 14), true)
  for (const wrong of ['09506000134353', '9506000134352', '0950600013435２', '', '095060001343520'])
    assert.equal(isGs1Key(wrong, 14), false, wrong)
})

test('any wrong digit is noticed, and almost any two that were exchanged', () => {
  const key = '376104250021234569'
  for (let i = 0; i < key.length; i++)
    for (let digit = 0; digit < 10; digit++) {
      const other = `${key.slice(0, i)}${digit}${key.slice(i + 1)}`
      assert.equal(isGs1Key(other, 18), other === key)
    }
})

test('the number of a box and its SSCC lead to each other, until a prefix is used up', () => {
  for (const prefix of ['9506', '9506000', '950600013435'])
    for (const number of [0, 1, 42, 9_999, 99_999]) {
      const sscc = ssccOf(prefix, number)
      assert.ok(sscc !== null && isGs1Key(sscc, 18), `${prefix} ${number}`)
      assert.equal(numberOfSscc(prefix, sscc), number)
      assert.equal(numberOfSscc('8888888', sscc), null)
    }
  assert.equal(ssccOf('9506000', 123), '095060000000001234')
  assert.equal(ssccOf('950600013435', 100_000), null)
  assert.equal(ssccOf('9506', -1), null)
})

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
