import { writeSync } from 'node:fs'
import { readConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { anonymous } from '#server/identity/principal.ts'
import { placeOrder } from '#server/orders/place-order.ts'
import { KEY_BYTES, secretsOf } from '#server/secrets/secrets.ts'
import { SiteSettings, setupOf } from '#server/site/settings.ts'
import { readSiteFile } from '#server/site/site.ts'

/**
 * A process for tests to kill: on the PostgreSQL of its first argument it places orders in the slot of the second, four
 * at a time, and logs the number of each. A process before it may have placed the first ones: their keys are the same.
 */
const [url = '', slot = ''] = process.argv.slice(2)
const database = await openPostgres(url, () => undefined)
const { db } = database
const siteFile = await readSiteFile()
const site = new SiteSettings(database, setupOf(readConfig({}), siteFile, []))
await site.current()
const deps = {
  db,
  catalogue: { changed: () => undefined },
  secrets: secretsOf(new Uint8Array(KEY_BYTES)),
  now: () => new Date(),
  payments: null,
  cdn: null,
  config: { PUBLIC_URL: 'https://shop.example' },
  siteFile,
  site,
}
let next = 0

async function buy(): Promise<void> {
  for (;;) {
    const i = next++
    const input = {
      lines: [{ product_id: 'snapper', quantity: 1 }],
      contact: { fname: 'Ann', lname: 'Lee', email: `ann${i}@example.org`, phone: '0400000000' },
      fulfilment: { kind: 'pickup' as const, slot },
      note: '',
    }
    const request = { keyHash: `key ${i}`, fingerprint: `order ${i}` }
    const { placed } = await placeOrder(deps, anonymous, input, { request, network: `${i}` })
    writeSync(1, `${'number' in placed && placed.number}\n`)
  }
}

await Promise.all([buy(), buy(), buy(), buy()])
