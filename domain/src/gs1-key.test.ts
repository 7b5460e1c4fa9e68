import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDigit, isGs1Key, numberOfSscc, ssccOf } from './gs1-key.ts'

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
