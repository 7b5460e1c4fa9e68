import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnchoring } from '#server/anchoring/anchor-loop.ts'
import { ledgerLocation } from '#server/anchoring/ledger-location.ts'
import { testDb } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

type Answer = { status: number; ok: boolean } & Record<string, unknown>

async function ready({ app }: TestShop): Promise<Answer> {
  const answer = await app.inject('/readyz')
  return { status: answer.statusCode, ...answer.json() }
}

/** Asks until the answer is such, or fails with the last one. */
async function readyUntil(shop: TestShop, is: (answer: Answer) => boolean): Promise<Answer> {
  const until = Date.now() + 60_000
  for (;;) {
    const answer = await ready(shop)
    if (is(answer) || Date.now() > until) return answer
    await sleep(100)
  }
}

test('readiness says which part is missing now, and when it is back', async () => {
  await using network = await testNetwork()
  const database = await testDb()
  const { chain } = network
  await using shop = await testShop({
    open: async () => database,
    deps: { chain, ledger: ledgerLocation(database.db, chain, network.http.url) },
  })
  const { deps } = shop
  const loop = startAnchoring(database, { ...deps, feeBumpAfterS: 60 }, 0.05)
  try {
    const whole = await readyUntil(shop, ({ status }) => status === 200)
    const parts = ['database', 'queue', 'chain', 'files', 'disk', 'leader', 'ledger']
    assert.deepEqual(whole, {
      status: 200,
      ok: true,
      ...Object.fromEntries(parts.map((part) => [part, 'ok'])),
    })

    const rightNode = network.node.rpc
    network.node.rpc = () => new Promise(() => undefined)
    assert.equal((await readyUntil(shop, ({ ok }) => !ok)).chain, 'timeout after 2 s')
    await network.reset()
    const empty = await readyUntil(shop, ({ chain: state }) =>
      /has no contract at the ledger/.test(String(state)),
    )
    assert.equal(empty.status, 503, JSON.stringify(empty))
    network.node.rpc = rightNode
    assert.equal((await readyUntil(shop, ({ ok }) => ok)).status, 200)

    const folder = join(deps.config.DATA_DIR, 'files')
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'a file where the folder was')
    const lame = await readyUntil(shop, ({ ok }) => !ok)
    assert.equal(lame.status, 503)
    assert.match(String(lame.files), /unreachable/)
    assert.equal(lame.database, 'ok')
    await rm(folder)
    await mkdir(folder)
    assert.equal((await readyUntil(shop, ({ ok }) => ok)).status, 200)
  } finally {
    await loop.stop()
  }
  const alone = await readyUntil(shop, ({ leader }) => leader !== 'ok')
  assert.deepEqual(
    [alone.status, alone.leader],
    [200, 'there is no leader: no process is anchoring'],
    'the shop sells without',
  )
})

test('metrics answer at once while the chain hangs, and count requests by route', async () => {
  await using network = await testNetwork()
  const { chain } = network
  await using shop = await testShop({ deps: { chain } })
  network.node.rpc = () => new Promise(() => undefined)
  await shop.app.inject('/api/product/eel')
  let text = (await shop.app.inject('/metrics')).body
  assert.match(text, /^befaqt_figures_age_seconds NaN$/m, 'it did not wait for the first look')
  const route = 'method="GET",route="/api/product/:id",status="404"'
  assert.ok(text.includes(`befaqt_http_request_duration_seconds_count{${route}} 1`), text)
  assert.ok(text.includes(`befaqt_http_request_duration_seconds_bucket{${route},le="+Inf"} 1`))
  assert.match(text, /^befaqt_build_info\{version="[^"]+",build="[^"]+",node="24\.[^"]+"\} 1$/m)
  for (const wanted of [
    /^befaqt_part_up\{part="chain"\} 0$/m,
    /^befaqt_data_dir_free_bytes \d+$/m,
    /^befaqt_jobs_waiting \d+$/m,
  ])
    while (!wanted.test(text)) {
      await sleep(50)
      text = (await shop.app.inject('/metrics')).body
    }
})
