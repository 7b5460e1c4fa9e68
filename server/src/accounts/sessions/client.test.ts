import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName, secureCookies } from './client.ts'

test('browsers are described in words, and an unknown one never by its own text', () => {
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

test('cookies are Secure, except on a site served over plain HTTP under its own host name', () => {
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
