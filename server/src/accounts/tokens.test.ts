import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashToken, newToken, sameOriginUrl, sameSecret, withToken } from './tokens.ts'

test('tokens are 256 random bits, stored as SHA-256 and compared in constant time', () => {
  assert.match(newToken(), /^[\w-]{43}$/)
  assert.notEqual(newToken(), newToken())
  assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(sameSecret('123456', '123456'), true)
  assert.equal(sameSecret('123456', '1234567'), false)
})

const OURS = 'https://shop.example'
const PAGE = '/user/activate'
const pageFor = (home: string) => (sent: string | undefined) => sameOriginUrl(home, sent, 'actLink', PAGE)

test('links in emails lead to our own page, whatever address of this site was sent', () => {
  const base = pageFor(OURS)
  for (const own of [
    undefined,
    OURS,
    `${OURS}/`,
    `${OURS}/user/activate/`,
    `${OURS}/user/signin`,
    `${OURS}/user/activate?token=`,
    `${OURS}/user/activate?next=https://evil.example`,
    `${OURS}/user/activate#x`,
    '/user/activate',
    'user/activate/',
    '',
  ])
    assert.equal(base(own), `${OURS}${PAGE}`, own)
  assert.equal(withToken(base(`${OURS}/go`), 't0k'), `${OURS}${PAGE}/t0k`)
})

test('an address of another site is refused', () => {
  const base = pageFor(OURS)
  for (const bad of [
    'https://evil.example/user/activate',
    'http://shop.example/user/activate',
    'https://shop.example:444/',
    'https://shop.example@evil.example/',
    'https://user:pass@shop.example/',
    'https://shop.example.evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)//https://shop.example',
    'data:text/html,x',
    'https://evil.example\\@shop.example/',
    'http://localhost:3000/user/activate',
  ])
    assert.throws(() => base(bad), { code: 'link.foreign_origin' }, bad)
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
      assert.throws(() => base(url), { code: 'link.foreign_origin' })
    }),
  )
})

test('on a loopback name all loopback names of its port are this site', () => {
  const base = pageFor('http://localhost:3000')
  for (const own of ['http://127.0.0.1:3000/user/activate', 'http://[::1]:3000', 'http://localhost:3000/'])
    assert.equal(base(own), `http://localhost:3000${PAGE}`, own)
  for (const bad of [
    'http://127.0.0.1:3001/',
    'https://127.0.0.1:3000/',
    'http://127.0.0.2:3000/',
    'http://localhost/',
  ])
    assert.throws(() => base(bad), { code: 'link.foreign_origin' }, bad)
})
