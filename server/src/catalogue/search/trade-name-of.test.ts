import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTradeName, titleNames, tradeNameOf } from './trade-name-of.ts'

test('words are read as the trade’s own name of what they name, and as nothing where they name nothing', () => {
  for (const [typed, name] of [
    ['Pipis, live', 'pipi'],
    ['snapper', 'snapper'],
    ['  Fresh SNAPPERS today ', 'snapper'],
    ['squire', 'snapper'],
    ['madai', 'snapper'],
    ['cá hồng', 'snapper'],
    ['snapper fillets', 'snapper'],
    ['yellowfin tuna', 'yellowfin tuna'],
    ['sashimi yellowfin tuna loin', 'yellowfin tuna'],
    ['red snapper', 'redfish'],
    ['gemfish', 'gemfish'],
    ['<b>unicorn</b>', null],
    ['', null],
    ['fresh', null],
  ] as const)
    assert.equal(tradeNameOf(typed), name, typed)
})

test('a title names what stands in it as words, in the singular or plural, and not as part of another word', () => {
  assert.ok(titleNames('Sydney rock oysters, dozen', 'oyster'))
  assert.ok(titleNames('Blue-eye Trevalla', 'blue-eye trevalla'))
  assert.ok(!titleNames('Yearling steak', 'ling'))
  assert.ok(!titleNames('Yellowtail tuna', 'yellowfin tuna'))
  assert.ok(isTradeName('snapper') && !isTradeName('squire') && !isTradeName('Snapper'))
})
