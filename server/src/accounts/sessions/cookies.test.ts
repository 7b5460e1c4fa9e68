import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secureCookies } from './cookies.ts'

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
