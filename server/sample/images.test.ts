import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const images = fileURLToPath(new URL('images/', import.meta.url))
const megabyte = 1024 * 1024

type Entry = { path: string; slug: string; alt: string; width: number; height: number }

const manifest: Entry[] = JSON.parse(await readFile(`${images}manifest.json`, 'utf8'))

test('every image in the manifest exists, with the size it states', async () => {
  for (const { path, width, height } of manifest) {
    const found = await sharp(`${images}${path}`).metadata()
    assert.deepEqual([found.format, found.width, found.height], ['webp', width, height], path)
  }
})

test('every picture in the folders is in the manifest once, under its own slug', async () => {
  const folders = ['product', 'category', 'box']
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(`${images}${folder}`)).map((name) => `${folder}/${name}`)),
  )
  assert.deepEqual(manifest.map(({ path }) => path).sort(), files.flat().sort())
  for (const { path, slug } of manifest) assert.equal(path.split('/')[1], `${slug}.webp`)
})

test('every alternative text is one sentence, and no two are the same', () => {
  for (const { path, alt } of manifest) assert.match(alt, /^[A-Z][^.!?]{20,}\.$/, path)
  assert.equal(new Set(manifest.map(({ alt }) => alt)).size, manifest.length)
})

test('only a product with a first image has a second one', () => {
  const products = manifest.filter(({ path }) => path.startsWith('product/'))
  const slugs = new Set(products.map(({ slug }) => slug))
  for (const slug of slugs) if (slug.endsWith('-2')) assert.ok(slugs.has(slug.slice(0, -2)), slug)
})

test('all product images together stay under 6 MB', async () => {
  const sizes = await Promise.all(
    manifest.filter(({ path }) => path.startsWith('product/')).map(({ path }) => stat(`${images}${path}`)),
  )
  assert.ok(sizes.reduce((sum, { size }) => sum + size, 0) < 6 * megabyte)
})
