import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sweepTemporaryFolders, temporaryFolder } from './received-file.ts'

test('folders of uploads that a stopped process left are removed a day later, and nothing else', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-sweep-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const now = new Date('2026-11-27T09:00:00Z')
  const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000)
  for (const [name, hours] of [
    ['befaqt-form-old', 25],
    ['befaqt-form-new', 23],
    ['of-others', 1_000],
  ] as const) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, '1'), 'a picture')
    await utimes(join(folder, name), hoursAgo(hours), hoursAgo(hours))
  }
  await sweepTemporaryFolders(now, folder)
  assert.deepEqual((await readdir(folder)).sort(), ['befaqt-form-new', 'of-others'])
  await sweepTemporaryFolders(now, join(folder, 'gone'))
})

test('a temporary folder is gone with its block', async () => {
  const before = await (async () => {
    await using made = await temporaryFolder()
    await writeFile(join(made.path, '1'), 'a picture')
    return made.path
  })()
  await assert.rejects(readdir(before), { code: 'ENOENT' })
})
