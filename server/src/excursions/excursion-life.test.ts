import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import { excursions, noticeDeliveries, noticeTargets } from '#server/db/schema/excursions.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testShop } from '#server/testing/shop.ts'
import { type ExcursionChange, saveChanges } from './excursion-changes.ts'
import type { ExcursionRow } from './notify.ts'

test('an excursion moves along its edges, by readings or by a manager, and says so; else it is refused or silent', async () => {
  await using shop = await testShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box/registration', { boxID: 'X-1', fisher: sampleBox().fisher })
  const { db } = shop.deps
  const at = shop.deps.now()
  const id = 'one'
  await db.insert(excursions).values({ id, boxId: 'X-1', kind: 'warm', since: at, peak: 9, peakAt: at })
  const to = { id: 'to', kind: 'email' as const, address: 'ann@example.org', createdBy: 'admin' }
  const [target] = await db.insert(noticeTargets).values(to).returning()
  const [unset, closing] = [{ endedAt: null, closedAt: null, withdrawnAt: null, grade: 0 }, { closedAt: at }]
  const states = {
    open: unset,
    ended: { ...unset, endedAt: at },
    closed: { ...unset, ...closing },
    withdrawn: { ...unset, withdrawnAt: at },
  }
  /** Puts it into a state of which everybody was told; answers what was said of what happened then. */
  const said = async (state: keyof typeof states, act: (row: ExcursionRow) => Promise<unknown>) => {
    const [row] = await db.update(excursions).set(states[state]).where(eq(excursions.id, id)).returning()
    assert.ok(row && target)
    await db.delete(noticeDeliveries)
    const sent = { targetId: target.id, excursionId: id, body: '', deliveredAt: at }
    const told = (['opened', 'ended', 'resumed', 'closed'] as const).map((event) => ({
      ...sent,
      event,
      id: event,
    }))
    await db.insert(noticeDeliveries).values(told)
    await act(row)
    const found = await db.select().from(noticeDeliveries)
    return found.flatMap(({ id, event }) => (id === event ? [] : [event])).join()
  }
  const change = (change: (known: ExcursionRow) => ExcursionChange) => (row: ExcursionRow) =>
    db.transaction((tx) => saveChanges(tx, shop.deps, 'X-1', [change(row)]))
  const byReadings = {
    end: change((known) => ({ known, set: { endedAt: at } })),
    'go on': change((known) => ({ known, set: { endedAt: null } })),
    'become worse': change((known) => ({ known, set: { grade: 2 } })),
    withdraw: change((withdrawn) => ({ withdrawn, into: null })),
  }
  const expected = {
    open: ['ended', '', '', 'withdrawn'],
    ended: ['', 'resumed', '', 'withdrawn'],
    closed: ['', '', 'reopened', 'withdrawn'],
  }
  for (const [state, events] of Object.entries(expected))
    for (const [i, act] of Object.values(byReadings).entries())
      assert.equal(await said(state as keyof typeof expected, act), events[i], `${state} ${i}`)
  const close = async () => {
    const reply = await admin('POST', `/api/excursion/${id}/closing`, { text: 'Iced again' })
    return assert.equal(reply.body === '' ? reply.statusCode : reply.json().error.message, refused ?? 204)
  }
  let refused: string | undefined
  for (const state of ['open', 'ended'] as const) assert.equal(await said(state, close), 'closed')
  refused = 'This excursion is closed already.'
  assert.equal(await said('closed', close), '')
  refused = 'This excursion was withdrawn.'
  assert.equal(await said('withdrawn', close), '')
})
