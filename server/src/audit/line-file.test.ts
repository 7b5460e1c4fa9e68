import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { smallDisk } from '#server/testing/small-disk.ts'
import { lineFile } from './line-file.ts'
import { noteSecurity, openSecurityLog } from './security-log.ts'

/** Until it is so; a minute at most. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 6_000; i++) {
    if (await isSo().catch(() => false)) return
    await sleep(10)
  }
  assert.fail('it did not become so')
}

const has = (path: string, text: string) => async () => (await readFile(path, 'utf8')).includes(text)

test('the file is its owner’s; moved away, a new one is begun, and cut to nothing, it is gone on with', async () => {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-lines-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const path = join(folder, 'some.log')
  const never = () => assert.fail('nothing is lost')
  const lines = lineFile(path, { lost: never, found: never })
  opened.defer(() => lines.close())
  lines.write('one')
  await until(has(path, 'one'))
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  await rename(path, `${path}.1`)
  lines.write('two')
  await until(has(path, 'two'))
  assert.equal(await readFile(`${path}.1`, 'utf8'), 'one\n')
  await truncate(path)
  lines.write('three')
  lines.write('four')
  await lines.close()
  assert.equal(await readFile(path, 'utf8'), 'three\nfour\n')
})

test('where no new file can be begun after it was moved away, it is once that is possible again', async () => {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-lines-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const path = join(folder, 'some.log')
  let lost = 0
  const lines = lineFile(path, { lost: (count) => (lost = count), found: (count) => `${count} lost` })
  opened.defer(() => lines.close())
  lines.write('one')
  await until(has(path, 'one'))
  await rename(path, `${path}.1`)
  await mkdir(path)
  lines.write('two')
  await until(async () => lost === 1)
  await rmdir(path)
  await until(async () => {
    lines.write('three')
    return has(path, 'three')()
  })
  assert.match(await readFile(path, 'utf8'), /^\d+ lost\nthree\n/)
})

test('a full disk stops nothing, is named, and what is lost is counted when there is room again', async (t) => {
  const mounted = await smallDisk(1)
  if ('why' in mounted) return t.skip(mounted.why)
  await using disk = mounted
  const path = join(disk.folder, 'security.log')
  const said: string[] = []
  const close = openSecurityLog(path, pino({}, { write: (line: string) => void said.push(line) }))
  t.after(close)
  const note = (detail: string): void => noteSecurity({ what: 'backup', outcome: 'done', detail })
  note('before')
  await until(has(path, 'before'))
  await disk.fill()
  for (let i = 0; i < 200; i++) note(`lost ${i} ${'x'.repeat(100)}`)
  await until(async () => said.some((line) => line.includes('can not be written')))
  await disk.empty()
  await until(async () => {
    note('after')
    return said.some((line) => line.includes('is written again'))
  })
  await close()
  const written = (await readFile(path, 'utf8')).split('\n').filter(Boolean)
  const whole = written.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line))
  assert.ok(written.length - whole.length <= 1, 'the disk was full within at most one line')
  assert.ok(whole.find(({ what }) => what === 'gap').lost > 0)
  assert.ok(whole.some(({ detail }) => detail === 'after'))
})
