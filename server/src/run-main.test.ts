import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('run-main.ts', import.meta.url))

/** A program that rejects a promise nobody awaits as soon as it has started, and ends itself by SIGTERM later. */
const stray = `
  import { runMain } from ${JSON.stringify(program)}
  const stop = async () => console.log('stopped cleanly')
  runMain(async () => {
    setTimeout(() => Promise.reject(new Error('stray')), 10)
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100)
    setInterval(() => undefined, 60_000) // a program that still has something to do
    return { stop }
  }, () => 'ready')
`

test('an unhandled rejection is logged with its reason, and the program goes on', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', stray], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [said, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(status, 0, said)
  assert.match(said, /"level":50.*"message":"stray".*unhandled promise rejection/)
  assert.match(said, /stopped cleanly/)
})
