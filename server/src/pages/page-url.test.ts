import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ambiguousAddress } from '@befaqt/domain/testing/addresses'
import fc from 'fast-check'
import {
  boxIdFromPath,
  isCombination,
  isPublicPage,
  normalizeUrl,
  repairPercentEncoding,
  stripTrackingParams,
} from './page-url.ts'

test('a URL is normalized as browsers do, and never to one that names a host', () => {
  for (const [written, want] of [
    ['/', '/'],
    ['/category/Fish?q=a/../b', '/category/Fish?q=a/../b'],
    ['/product?next=//evil.example', '/product?next=//evil.example'],
    ['//evil.example/x', '/evil.example/x'],
    ['/\\evil.example', '/evil.example'],
    ['/.//evil.example', '/evil.example'],
    ['/a/..//evil.example', '/evil.example'],
    ['/%2e%2e//evil.example', '/evil.example'],
    ['/x/../user/profile?a=1', '/user/profile?a=1'],
    ['/x/%2E%2e/SFMBox/byId/1', '/SFMBox/byId/1'],
    ['/x\\..\\manage', '/manage'],
    ['/caf%C3%A9', '/caf%C3%A9'],
    ['/a//b', '/a//b'],
  ] as const)
    assert.equal(normalizeUrl(written), want, written)
})

test('a normalized URL is unchanged and stays on our own site', () => {
  fc.assert(
    fc.property(ambiguousAddress, (address) => {
      const plain = normalizeUrl(`/${address}`)
      assert.equal(normalizeUrl(plain), plain)
      assert.equal(new URL(plain, 'https://shop.example').host, 'shop.example')
    }),
  )
})

test('a malformed page URL becomes one that matches no page; API URLs and queries are left alone', () => {
  for (const [written, want] of [
    ['/%E0%A4%A', '/%25E0%25A4%25A'],
    ['/%', '/%25'],
    ['/%zz/b?c=%zz', '/%25zz/b?c=%zz'],
    ['/%FF?a?b', '/%25FF?a?b'],
    ['/caf%C3%A9', '/caf%C3%A9'],
    ['/product?q=%E0%A4%A', '/product?q=%E0%A4%A'],
    ['/api/product/%E0%A4%A', '/api/product/%E0%A4%A'],
  ] as const)
    assert.equal(repairPercentEncoding(written), want, written)
})

test('pages of accounts, managers, boxes and the checkout are not public pages, however they are spelt', () => {
  for (const url of [
    '/user/signin',
    '/USER/signin',
    '/%75ser/profile',
    '/manage',
    '/Manage?x',
    '/%6danage/user',
    '/checkout',
    '/Checkout?x',
  ])
    assert.equal(isPublicPage(url), false, url)
  for (const url of ['/SFMBox/byId/1', '/sfmbox/byid/1', '/%53FMBox?page=2', '/%53%46MBox/byId/1'])
    assert.equal(isPublicPage(url), false, url)
  for (const url of [
    '/',
    '/?user=/user/',
    '/userland',
    '/category/user',
    '/Category/fish',
    '/product/p1',
    '/nope',
  ])
    assert.equal(isPublicPage(url), true, url)
})

test('the page of a box is recognized by its URL', () => {
  for (const url of ['/SFMBox/byId/BOX-1', '/sfmbox/byid/BOX-1', '/SFMBox/byId/BOX-1?from=40'])
    assert.equal(boxIdFromPath(url), 'BOX-1', url)
  for (const url of [
    '/SFMBox/byId',
    '/SFMBox/check',
    '/SFMBox/byId?q=BOX-1',
    '/SFMBox/byId/a/b',
    '/SFMBox/byId/%00',
    '/product/BOX-1',
  ])
    assert.equal(boxIdFromPath(url), undefined, url)
})

test('tracking parameters are not part of a page’s URL, and everything else is', () => {
  for (const [written, want] of [
    ['/', '/'],
    ['/?utm_source=mail&utm_medium=x&fbclid=Iw', '/'],
    ['/category/Fish?utm_id=1&sort=price&gclid=2', '/category/Fish?sort=price'],
    ['/product?UTM_Source=a&q=b&mc_eid', '/product?q=b'],
    ['/product?q=utm_source&a=fbclid=1', '/product?q=utm_source&a=fbclid=1'],
    ['/product?xutm_source=1&gclids=2&utm=3', '/product?xutm_source=1&gclids=2&utm=3'],
    ['/product?&q=%41&', '/product?&q=%41&'],
  ] as const)
    assert.equal(stripTrackingParams(written), want, written)
})

test('an address that combines more than three choices of a list is not for the cache', () => {
  for (const url of [
    '/product',
    '/product?cut=whole,fillets',
    '/product?category=Fish&stock=in&fresh=5',
    '/?q=a,b,c,d',
  ])
    assert.equal(isCombination(url), false, url)
  for (const url of [
    '/product?cut=whole,fillets,live,raw',
    '/product?cut=whole%2Cfillets%2Clive%2Craw',
    '/product?cut=whole&origin=fiji&tracked=yes&stock=in',
    '/product?cut=whole&cut=live&cut=raw&cut=loins',
  ])
    assert.equal(isCombination(url), true, url)
})
