import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageCache } from './page-cache.ts'

test('countless different URLs fill no memory and evict no page that visitors request', async () => {
  const pages = new PageCache()
  let rendered = 0
  const home = async () => ({ status: 200, html: Buffer.from(`home ${++rendered}`) })
  for (let i = 0; i < 3; i++) await pages.get('/', home)
  for (let i = 0; i < 20_000; i++) {
    await pages.get(`/?utm_source=${i}`, async () => ({ status: 200, html: Buffer.from('home') }))
    if (i % 1_000 === 0) await pages.get('/', home)
  }
  assert.deepEqual([pages.size, rendered], [1, 2])
})

test('the page cache stays within its size, although each page is requested twice', async () => {
  const pages = new PageCache()
  const html = Buffer.from('fish '.repeat(400_000))
  for (let i = 0; i < 40; i++)
    for (const _ of ['once', 'twice']) await pages.get(`/${i}`, async () => ({ status: 200, html }))
  assert.ok(pages.size > 10 && pages.size * html.length < 64 * 1024 * 1024, `${pages.size} pages`)
})

test('a cached redirect redirects', async () => {
  const pages = new PageCache()
  const moved = async () => ({ status: 302, html: Buffer.alloc(0), redirect: '/product' })
  for (let i = 0; i < 3; i++) assert.equal((await pages.get('/old', moved)).redirect, '/product')
})
