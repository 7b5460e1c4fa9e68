import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import pino from 'pino'
import { startWorkerProcess } from '#server/start-process.ts'
import { readConfig } from './config.ts'

/** User and group `nobody` of Debian. */
const NOBODY = 65_534
const source = (name: string): string => JSON.stringify(new URL(`../${name}`, import.meta.url).href)

/** The worker; started by root it becomes somebody else, for root may write everywhere. */
const WORKER_OF_NOBODY = `
  import { runMain } from ${source('run-main.ts')}
  import { startWorkerProcess } from ${source('start-process.ts')}
  if (process.getuid?.() === 0) {
    process.setgid(${NOBODY})
    process.setuid(${NOBODY})
  }
  runMain(startWorkerProcess, () => process.exit(0))
`

/** A data folder in a folder that everybody may enter. */
async function openFolder() {
  const base = await mkdtemp(join(tmpdir(), 'befaqt-refused-'))
  await chmod(base, 0o755)
  const dataDir = join(base, 'data')
  await mkdir(dataDir)
  return {
    dataDir,
    settings: { DATA_DIR: dataDir, LOG_LEVEL: 'silent', SAMPLE_DATA: 'off', MQTT_PORT: '0' },
    [Symbol.asyncDispose]: async () => {
      await chmod(dataDir, 0o700)
      await rm(base, { recursive: true })
    },
  }
}

test('an unwritable DATA_DIR stops the start with a message that names the setting', async () => {
  await using folder = await openFolder()
  await chmod(folder.dataDir, 0o555)
  const child = spawn(process.execPath, ['--input-type=module', '-e', WORKER_OF_NOBODY], {
    env: { PATH: process.env.PATH, ...folder.settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  assert.equal(status, 1)
  assert.match(said, /^Wrong setting\. DATA_DIR: the folder .* cannot be read and written by this user\. /)
})

const inTheWay = {
  folder: (path: string) => mkdir(path),
  file: (path: string) => writeFile(path, 'x'),
}
for (const [name, what] of [
  ['in-use.db', 'folder'],
  ['in-use.lock', 'folder'],
  ['database', 'file'],
  ['secret.key', 'folder'],
  ['operator.key', 'folder'],
  ['files', 'file'],
] as const)
  test(`a ${what} in place of ${name} stops the start with a message that names it and DATA_DIR`, async () => {
    await using folder = await openFolder()
    const path = join(folder.dataDir, name)
    await inTheWay[what](path)
    const start = async (): Promise<void> => {
      const log = pino({ level: 'silent' })
      const running = await startWorkerProcess(readConfig(folder.settings), log, () => undefined)
      await running.stop(0)
    }
    await assert.rejects(
      start,
      ({ message }: Error) => message.includes(path) && /\bDATA_DIR\b/.test(message),
    )
  })
