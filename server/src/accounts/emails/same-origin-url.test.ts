import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sameOriginUrl, withToken } from './same-origin-url.ts'

const OURS = 'https://shop.example'

test('links in emails lead to this site or nowhere', () => {
  const base = (sent: string | undefined) => sameOriginUrl(OURS, sent, 'actLink', '/user/activate')
  assert.equal(base(undefined), `${OURS}/user/activate`)
  assert.equal(base(`${OURS}/user/activate/`), `${OURS}/user/activate`)
  assert.equal(withToken(base(`${OURS}/go`), 't0k'), `${OURS}/go/t0k`)
  for (const bad of [
    'https://evil.example/user/activate',
    'http://shop.example/user/activate',
    'https://shop.example:444/',
    'https://shop.example@evil.example/',
    'https://user:pass@shop.example/',
    'https://shop.example.evil.example/',
    '//evil.example/',
    '/user/activate',
    'javascript:alert(1)//https://shop.example',
    'data:text/html,x',
    `${OURS}/user/activate?next=https://evil.example`,
    `${OURS}/user/activate#x`,
    'https://evil.example\\@shop.example/',
    '',
  ])
    assert.throws(() => base(bad), { code: 'link.foreign_origin' }, bad)
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
      assert.throws(() => base(url), { code: 'link.foreign_origin' })
    }),
  )
})
