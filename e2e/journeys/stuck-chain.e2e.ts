import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../support/server.ts'
import { until, within } from '../support/within.ts'

const preload = new URL('../support/hang-chain.ts', import.meta.url)

test('a chain that never answers delays neither the shop nor its shutdown', async (t) => {
  await using server = await startServer({ env: { NODE_OPTIONS: `--import ${preload}` } })
  const ask = (path: string, init?: RequestInit) => fetch(server.url + path, init)
  await until(60, 'the chain is there', async () => (await (await ask('/readyz')).json()).chain === 'ok')
  process.kill(server.pid, 'SIGUSR2')
  await until(60, 'it says that the chain does not answer', async () => {
    const answer = await ask('/readyz')
    return answer.status === 200 && (await answer.json()).chain !== 'ok'
  })
  for (const path of ['/', '/product', '/api/site', '/healthz'])
    assert.equal((await ask(path)).status, 200, path)

  const question = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  const asking = ask('/api/chain/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  }).then(
    async (answer) => t.diagnostic(await answer.text()),
    () => undefined,
  )
  const began = performance.now()
  await within(45, 'it ends', server.stop())
  t.diagnostic(`ended after ${Math.round(performance.now() - began)} ms`)
  await asking
})
