import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleText, parseAbsenceText } from './bundle.ts'
import { Shop } from './testing/shop.ts'
import { verifyAbsence } from './verify.ts'

function shop(): Shop {
  const made = new Shop()
  for (let i = 0; i < 9; i++) made.append(`box ${i}`, 'registration')
  made.anchor()
  return made
}

test('a box that was never recorded is absent, and the words say so', async () => {
  const made = shop()
  for (const box of ['forged', 'box 9', 'box', 'another']) {
    const { verdict, words, reasons } = await verifyAbsence(
      parseAbsenceText(bundleText(made.absenceOf(box))),
      made.ledger(),
    )
    assert.deepEqual([verdict, reasons], ['absent', []])
    assert.match(words, /no such box/)
  }
})

test('absence in an older anchor says nothing of the newest', async () => {
  const made = shop()
  const proof = made.absenceOf('late')
  made.append('late', 'registration')
  made.anchor()
  const { verdict, reasons } = await verifyAbsence(proof, made.ledger())
  assert.deepEqual([verdict, reasons.map(({ code }) => code)], ['incomplete', ['newer_anchor']])
})

test('a box that is there can not be called absent', async () => {
  const made = shop()
  const { root: _, leaf, ...proof } = made.proofOf(0, 'box 3')
  const { anchor, ledger } = made.absenceOf('box 99')
  for (const other of [leaf, null, made.proofOf(0, 'box 4').leaf]) {
    const { verdict, reasons } = await verifyAbsence(
      { v: 2, box: 'box 3', ledger, anchor, ...proof, other },
      made.ledger(),
    )
    assert.deepEqual([verdict, reasons.map(({ code }) => code)], ['broken', ['absence_mismatch']])
  }
})

test('absence under a root that the ledger does not hold, or a ledger that can not be read, proves nothing', async () => {
  const made = shop()
  const other = new Shop()
  other.append('A', 'registration')
  other.anchor()
  assert.equal((await verifyAbsence(other.absenceOf('box 3'), made.ledger())).verdict, 'broken')
  const silent = { ...made.ledger(), count: () => Promise.reject(new Error('no answer')) }
  assert.equal((await verifyAbsence(made.absenceOf('x'), silent)).verdict, 'unreachable')
  assert.equal((await verifyAbsence({ v: 2 }, made.ledger())).verdict, 'broken')
})
