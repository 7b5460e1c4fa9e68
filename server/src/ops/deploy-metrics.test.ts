import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerLocation } from '#server/anchoring/ledger.ts'
import { testDatabases } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { testShop } from '#server/testing/shop.ts'

const textOf = (path: string): Promise<string> =>
  readFile(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')

const asked = (text: string): string[] => [
  ...new Set(text.match(/\b(?:befaqt|nodejs|process)_[a-z0-9_]+/g) ?? []),
]

/** Names of all series in a text of `/metrics`. */
const served = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
  )

for (const [database, open] of testDatabases)
  test(`alerts and dashboard ask for what /metrics serves (${database})`, async () => {
    await using network = await testNetwork()
    const opened = await open()
    const { chain } = network
    await using shop = await testShop({
      open: async () => opened,
      deps: { chain, ledger: ledgerLocation(opened.db, chain, network.http.url) },
    })
    const files = await Promise.all(['prometheus/rules.yaml', 'grafana/befaqt.json'].map(textOf))
    const ofPoolAlone = ['befaqt_database_connections', 'befaqt_database_waiting']
    const wanted = files
      .flatMap(asked)
      .filter((name) => database === 'PostgreSQL' || !ofPoolAlone.includes(name))
    let text = ''
    let missing = wanted
    for (const until = Date.now() + 60_000; missing.length > 0 && Date.now() < until; await sleep(50)) {
      text = (await shop.app.inject('/metrics')).body
      const there = served(text)
      missing = wanted.filter((name) => !there.includes(name))
    }
    assert.deepEqual(missing, [])
    assert.ok(asked(files.join()).length > 30)
    for (const [, label, value] of files.join().matchAll(/\{(part|status)=\\?"(\w+)\\?"\}/g))
      assert.ok(text.includes(`{${label}="${value}"}`), `${label} ${value} is served`)
    // The last two have metrics and alerts of their own, which say more.
    for (const part of text.matchAll(/^befaqt_part_up\{part="(\w+)"\}/gm))
      if (!['database', 'migration', 'events', 'drill'].includes(part[1] ?? ''))
        assert.match(files[0] ?? '', new RegExp(`part="${part[1]}"`), 'who is told of it')
  })
