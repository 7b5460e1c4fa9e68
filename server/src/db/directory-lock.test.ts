import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { raceForLocks } from '#server/testing/lock-race.ts'
import { acquireLock } from './directory-lock.ts'

let root = ''
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'befaqt-lock-'))
})
after(() => rm(root, { recursive: true }))

const newFolder = (): Promise<string> => mkdtemp(join(root, 'data-'))

test('of three processes racing for the folder of a killed one exactly one gets it, 200 times', async () => {
  const holders = await raceForLocks(3, 200)
  assert.deepEqual(
    holders.filter((n) => n !== 1),
    [],
  )
  assert.equal(holders.length, 200)
})

test('a folder whose process was killed is free at once', async () => {
  const folder = await newFolder()
  const module = JSON.stringify(new URL('./directory-lock.ts', import.meta.url).href)
  const script = `const { acquireLock } = await import(${module})
    await acquireLock(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(holder.stdout, 'data')
  await assert.rejects(acquireLock(folder), new RegExp(`in use by another process \\(${holder.pid}\\)`))
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const unlock = await acquireLock(folder)
  await unlock()
})

test('the lock’s holder is named, and a second attempt in the same process is refused', async () => {
  const folder = await newFolder()
  const unlock = await acquireLock(folder)
  assert.match(await readFile(join(folder, 'in-use.lock'), 'utf8'), new RegExp(`^${process.pid}\\b`))
  await assert.rejects(acquireLock(folder), new RegExp(`in use by another process \\(${process.pid}\\)`))
  await unlock()
  assert.deepEqual(await readdir(folder), ['in-use.db'])
  await (await acquireLock(folder))()
})

test('a running process of an older version, which has only the old lock file, is respected', async () => {
  const folder = await newFolder()
  const unlock = await acquireLock(folder)
  const ours = await readFile(join(folder, 'in-use.lock'), 'utf8')
  await unlock()
  await rm(join(folder, 'in-use.db'))
  await writeFile(join(folder, 'in-use.lock'), ours)
  await assert.rejects(acquireLock(folder), new RegExp(`in use by another process \\(${process.pid}\\)`))
})

test('a process id that was reused by another process does not block the folder', async () => {
  const folder = await newFolder()
  const unlock = await acquireLock(folder)
  const left = await readFile(join(folder, 'in-use.lock'), 'utf8')
  await unlock()
  await writeFile(join(folder, 'in-use.lock'), left) // as a killed process leaves it; the id lives
  await (await acquireLock(folder))()
})

for (const left of ['', 'garbage', '999999999', '1 2', '-1', '0'])
  test(`a named lock that holds ${JSON.stringify(left)} is taken over`, async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'in-use.lock'), left)
    await (await acquireLock(folder))()
  })

for (const name of ['in-use.lock', 'in-use.db'])
  test(`a folder in place of ${name} is reported with an explanation`, async () => {
    const folder = await newFolder()
    await mkdir(join(folder, name))
    await assert.rejects(
      acquireLock(folder),
      new RegExp(`${name} should be the lock file .* remove it and start again`),
    )
    await rm(join(folder, name), { recursive: true })
    await (await acquireLock(folder))()
  })

test('anything else in place of the lock file is reported with an explanation, and left as it is', async () => {
  const folder = await newFolder()
  const something = 'something else'.repeat(1_000)
  await writeFile(join(folder, 'in-use.db'), something)
  await assert.rejects(acquireLock(folder), /in-use\.db should be the lock file .* holds something else/)
  assert.equal(await readFile(join(folder, 'in-use.db'), 'utf8'), something)
})
