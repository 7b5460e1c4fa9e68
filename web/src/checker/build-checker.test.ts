import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { checkerPage } from '../../build-checker.ts'

const root = join(import.meta.dirname, '../../..')
const MAX_BYTES = 150_000

/** The page as a copy of the sources in another folder builds it. */
async function builtIn(folder: string): Promise<string> {
  for (const part of ['domain', 'provenance', 'web'])
    await cp(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist|vectors)$/.test(path),
    })
  await cp(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  const packages = join(folder, 'node_modules')
  await mkdir(join(packages, '@befaqt'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@befaqt' && !name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(packages, name))
  for (const name of ['domain', 'provenance', 'web'])
    await symlink(join(folder, name), join(packages, '@befaqt', name))
  const built: typeof import('../../build-checker.ts') = await import(
    pathToFileURL(join(folder, 'web/build-checker.ts')).href
  )
  return built.checkerPage()
}

test('the checker is the same bytes wherever it is built, and small', { timeout: 300_000 }, async () => {
  const here = await checkerPage()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-build-'))
  try {
    const there = join(folder, 'another place/with a longer name')
    await mkdir(there, { recursive: true })
    const built = await builtIn(there)
    assert.equal(built === here, true, 'the same bytes')
    assert.ok(!here.includes(dirname(root)) && !here.includes(folder), 'no path of the machine')
  } finally {
    await rm(folder, { recursive: true })
  }
  const bytes = brotliCompressSync(here).length
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`)
})

test('its policy lists its one script and its styles, and it names nothing to load', async () => {
  const page = await checkerPage()
  const hashOf = (text = ''): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? ''
  const [scripts, styles] = ['script', 'style'].map((name) => [
    ...page.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g')),
  ])
  assert.deepEqual([scripts?.length, styles?.length], [1, 1])
  assert.ok(policy.startsWith("default-src 'none'; "))
  assert.ok(policy.includes(`script-src ${hashOf(scripts?.[0]?.[1])};`))
  assert.ok(policy.includes(`style-src ${hashOf(styles?.[0]?.[1])};`))
  assert.ok(!policy.includes('unsafe'))
  const markup = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '')
  assert.deepEqual(
    [...markup.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, to]) => to),
    ['data:,', 'check.html'],
    'an empty icon, and itself',
  )
  assert.doesNotMatch(markup, /\son\w+=|\sstyle=/)
  assert.doesNotMatch(scripts?.[0]?.[1] ?? '', /\bimport\(|\beval\(|new Function|innerHTML|document\.write/)
})
