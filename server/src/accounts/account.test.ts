import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailKey } from './account.ts'

test('one mailbox is one account however the address is written; plus addresses stay separate', () => {
  assert.equal(emailKey('Ann.Lee+Fish@B\u00dcCHER.example'), 'ann.lee+fish@xn--bcher-kva.example')
  assert.equal(emailKey('a@bu\u0308cher.example'), emailKey('A@xn--bcher-kva.EXAMPLE'))
  assert.notEqual(emailKey('a+b@c.example'), emailKey('a@c.example'))
})
