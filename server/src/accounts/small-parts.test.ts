import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emailKey } from './email-key.ts'
import { linkWith, ownLinkBase } from './mails/own-link.ts'
import { secureCookies } from './sessions/cookies.ts'
import { deviceName } from './sessions/device-name.ts'
import { checkOrigin, refuseForeign } from './sessions/origin-check.ts'
import { hashToken, newToken, sameSecret } from './tokens.ts'

test('one mailbox is one account however it is written; plus parts stay apart', () => {
  assert.equal(emailKey('Ann.Lee+Fish@B\u00dcCHER.example'), 'ann.lee+fish@xn--bcher-kva.example')
  assert.equal(emailKey('a@bu\u0308cher.example'), emailKey('A@xn--bcher-kva.EXAMPLE'))
  assert.notEqual(emailKey('a+b@c.example'), emailKey('a@c.example'))
})

test('browsers are named in words, and strangers never by their own', () => {
  for (const [agent, want] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iPhone'],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', 'curl'],
    ['<script>alert(1)</script>', 'Another program'],
    ['', 'Another program'],
  ] as const)
    assert.equal(deviceName(agent), want)
})

test('cookies are Secure, but for a site served in the clear under a name of its own', () => {
  for (const url of [
    'https://shop.example',
    'http://localhost:3000',
    'http://127.0.0.1:8080',
    'http://[::1]:80',
  ])
    assert.equal(secureCookies(url), true, url)
  assert.equal(secureCookies('http://shop.example'), false)
  assert.equal(secureCookies('http://localhost.shop.example'), false)
})

const OURS = 'https://shop.example'

test('a change by cookie must come from a page of ours; reading may come from anywhere', () => {
  const passes = (method: string, headers: Record<string, string>) => {
    try {
      checkOrigin({ method, headers }, OURS)
      return true
    } catch {
      return false
    }
  }
  for (const [headers, want] of [
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: OURS }, true],
    [{ 'sec-fetch-site': 'same-site', origin: OURS }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://shop.example.evil.example' }, false],
    [{ origin: 'http://shop.example' }, false],
    [{ origin: 'null' }, false],
    [{}, false],
  ] as const) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      assert.equal(passes(method, headers), want, `${method} ${JSON.stringify(headers)}`)
    for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.equal(passes(method, headers), true)
  }
})

test('what sets the cookie is refused from foreign pages and open to programs', () => {
  refuseForeign({ method: 'POST', headers: {} }, OURS)
  refuseForeign({ method: 'POST', headers: { origin: OURS } }, OURS)
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    assert.throws(() => refuseForeign({ method: 'POST', headers }, OURS), { code: 'auth.origin' })
})

test('links in mails lead to this site or nowhere', () => {
  const base = (sent: string | undefined) => ownLinkBase(OURS, sent, 'actLink', '/user/activate')
  assert.equal(base(undefined), `${OURS}/user/activate`)
  assert.equal(base(`${OURS}/user/activate/`), `${OURS}/user/activate`)
  assert.equal(linkWith(base(`${OURS}/go`), 't0k'), `${OURS}/go/t0k`)
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

test('tokens are 256 random bits, kept as SHA-256, and compared without a hint', () => {
  assert.match(newToken(), /^[\w-]{43}$/)
  assert.notEqual(newToken(), newToken())
  assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(sameSecret('123456', '123456'), true)
  assert.equal(sameSecret('123456', '1234567'), false)
})
