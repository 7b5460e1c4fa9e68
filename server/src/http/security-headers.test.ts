import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testShop } from '#server/testing/shop.ts'

test('only the worker that checks boxes may reach other hosts; pages, scripts and the API reach the shop alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-dist-'))
  const assets = join(folder, 'client', 'assets')
  await mkdir(assets, { recursive: true })
  for (const name of ['check-worker-Dx_1-a.js', 'shop-check-worker-a.js', 'entry.js'])
    await writeFile(join(assets, name), '0')
  const render = async () => ({ status: 200, html: Buffer.from('<!doctype html>'), headers: {} })
  await using shop = await testShop({ render, env: { WEB_DIST: folder } })
  const reach = async (url: string): Promise<string> => {
    const { headers } = await shop.app.inject({ url })
    return /connect-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1] ?? ''
  }
  const own = [
    '/',
    '/user/signin',
    '/manage',
    '/api/site',
    '/assets/entry.js',
    '/assets/shop-check-worker-a.js',
  ]
  for (const url of [...own, '/manage?/assets/check-worker-a.js'])
    assert.equal(await reach(url), "'self'", url)
  assert.match(await reach('/assets/check-worker-Dx_1-a.js'), /^'self' https: http:\/\/localhost:\*/)
  await rm(folder, { recursive: true })
})
