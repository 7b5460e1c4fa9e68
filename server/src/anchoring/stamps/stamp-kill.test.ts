import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Authority, withOpenssl } from '@befaqt/provenance/testing/authority'
import { Calendar } from '@befaqt/provenance/testing/calendar'
import { embeddedChain } from '#server/chain/embedded.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { logStamps } from '#server/db/schema/anchor-log.ts'
import { signFirstAnchor } from '#server/testing/anchor-log.ts'
import { noteOf } from './stamp-rows.ts'

const victim = fileURLToPath(new URL('../../testing/stamp-until-killed.ts', import.meta.url))

test(
  'killed between asking and storing, by the authority and by the calendar: asked again, and one stamp is kept',
  withOpenssl,
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'befaqt-stamp-kill-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    await using authority = await Authority.make()
    const calendar = new Calendar()
    await using stamping = await authority.serve()
    await using _promising = await calendar.serve()
    const first = await openEmbedded(folder)
    await signFirstAnchor({ db: first.db, chain: await embeddedChain() })
    await first.close()
    const run = () =>
      spawn(process.execPath, [victim, folder, stamping.url, calendar.url], { stdio: 'inherit' })
    const stored = async () => {
      const { db, close } = await openEmbedded(folder)
      try {
        const [row, ...more] = await db.select().from(logStamps)
        assert.deepEqual(more, [])
        return row && { ...row, note: Buffer.from(await noteOf(db, row)) }
      } finally {
        await close()
      }
    }

    // The authority stamps, and whoever asked is gone before it hears of it
    let child = run()
    authority.instead = async (request) => {
      await authority.answer(request)
      child.kill('SIGKILL')
    }
    await once(child, 'exit')
    authority.instead = undefined
    const afterFirst = await stored()
    assert.deepEqual([afterFirst?.tsr, afterFirst?.ots, authority.asked], [null, null, 1])

    // What the authority answered is stored by now; the calendar promises to one who is gone
    child = run()
    calendar.instead = () => void child.kill('SIGKILL')
    await once(child, 'exit')
    calendar.instead = undefined
    const afterSecond = await stored()
    assert.ok(afterSecond?.tsr)
    assert.deepEqual([afterSecond.ots, authority.asked], [null, 2])

    child = run()
    for (let found = 0; found < 1; found = calendar.sent) await new Promise((go) => setTimeout(go, 50))
    await new Promise((go) => setTimeout(go, 1_000))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const last = await stored()
    assert.ok(last?.tsr && last.ots)
    assert.deepEqual([authority.asked, calendar.sent], [2, 1], 'what is there is not asked for again')
    assert.equal(await authority.isTaken(new Uint8Array(last.tsr), last.note), true)
  },
)
