import assert from 'node:assert/strict'
import { DAY_MS } from '@befaqt/domain/durations'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import pino from 'pino'
import { followAnchors } from '#server/anchoring/log/sign-log.ts'
import type { ArchivingDeps } from '#server/boxes/archive/archive-boxes.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { logSettings } from './anchor-log.ts'
import { anchoringWorld } from './anchoring.ts'
import type { TestDb } from './database.ts'
import { readingAt, shopWithBoxes } from './readings.ts'

/** Days after which boxes of these tests are archived. */
export const SEASON = 90

/**
 * A shop with three anchored boxes and a signed log: OLD-1 was caught, measured, weighed, sold from, and sealed; OLD-2 is
 * sealed, too; OPEN-1 is not.
 */
export async function shopWithOldBoxes(open: () => Promise<TestDb>, env: Record<string, string> = {}) {
  const shop = await shopWithBoxes(['OLD-1', 'OLD-2', 'OPEN-1'], {
    open,
    env: { ARCHIVE_AFTER_DAYS: `${SEASON}`, ...env },
  })
  const { deps, admin } = shop
  const { db, chain } = deps
  const world = anchoringWorld(db, chain)
  const anchor = async (): Promise<void> => {
    await world.pass()
    await followAnchors(logSettings())(world.deps)
    world.later(60)
  }
  const done = async (...[method, url, body]: Parameters<typeof admin>): Promise<void> => {
    const reply = await admin(method, url, body)
    assert.ok(reply.statusCode < 300, `${method} ${url}: ${reply.body}`)
  }
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values({ id: 'p', title: 'Snapper', categoryId: 'c' })
  await anchor()
  const { txHash: _, ...caught } = { ...sampleBox().catchProv, species: 'Snapper' }
  await done('POST', '/api/box/OLD-1/catch', caught)
  await done('POST', '/api/box/OLD-1/weight', { of: 'box', grams: 41_000 })
  await done('PUT', '/api/box/OLD-1/products', [{ product_id: 'p', quantity: 9 }])
  for (const part of [0, 1, 2]) {
    const readings = Array.from({ length: 12 }, (_, i) =>
      readingAt(part * 12 + i, { box: 'OLD-1', temperature: part === 1 ? 9 : 2 }),
    )
    await done('POST', '/api/tracking', { readings })
    await anchor()
  }
  const [first] = [readingAt(0, { box: 'OLD-2' })]
  await done('POST', '/api/tracking', { readings: [first, readingAt(0, { box: 'OPEN-1' })] })
  await done('POST', '/api/box/OLD-1/loss', { product_id: 'p', amount: 500, reason: 'Dropped' })
  for (const box of ['OLD-1', 'OLD-2']) await done('POST', `/api/box/${box}/seal`, {})
  await anchor()
  const told: { level: number; msg: string; box?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line) => void told.push(JSON.parse(line)) })
  /** What jobs of the archive take, so many days from now. */
  const laterBy = (days: number): ArchivingDeps => ({
    ...deps,
    log,
    now: () => new Date(Date.now() + days * DAY_MS),
  })
  return { ...shop, anchor, laterBy, told }
}
