import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

test('the Solidity fuzz tests of AnchorLedger.t.sol pass on EDR', () => {
  const cli = fileURLToPath(new URL('cli.js', import.meta.resolve('hardhat')))
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'test', 'solidity'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /[1-9]\d* passing/)
})
