import { Authority } from '@befaqt/provenance/testing/authority'
import { Calendar } from '@befaqt/provenance/testing/calendar'
import { sql } from 'drizzle-orm'
import { followAnchors } from '#server/anchoring/log/sign-log.ts'
import { type StampDeps, stampNewest } from '#server/anchoring/stamps/stamp-newest.ts'
import { embeddedChain } from '#server/chain/embedded.ts'
import { type Db, rows } from '#server/db/client.ts'
import { logSettings } from './anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from './anchoring.ts'

const never = new AbortController().signal

/** A shop with a signed log, an authority and two calendars that run, and who is asked by the hour. */
export async function stampingShop(db: Db) {
  const authority = await Authority.make()
  const calendars = [new Calendar(), new Calendar()]
  const stamping = await authority.serve()
  const servers = [stamping, ...(await Promise.all(calendars.map((calendar) => calendar.serve())))]
  const world = anchoringWorld(db, await embeddedChain())
  const told: string[] = []
  const tell = (_details: object, message: string): void => void told.push(message)
  const config = {
    TIMESTAMP_URL: stamping.url,
    TIMESTAMP_CA: (await authority.read('root.pem')).toString(),
    OPENTIMESTAMPS_URLS: calendars.map((calendar) => calendar.url),
  }
  const deps: StampDeps = { db, now: () => new Date(), log: { info: tell, warn: tell }, config }
  await addBox(db, 'stamped')
  const shop = {
    authority,
    calendars,
    deps,
    told,
    /** Anchors something new and signs the log. */
    async grow(): Promise<void> {
      await addRecords(db, 'stamped', 1)
      await world.pass()
      world.later(60)
      await followAnchors(logSettings())(world.deps)
    },
    /** What the job does each hour. */
    hour: (more: Partial<StampDeps['config']> = {}, timeoutMs = 5_000): Promise<void> =>
      stampNewest({ ...deps, config: { ...config, ...more } }, never, timeoutMs),
    /** A day goes by: what was done today was done before. */
    async day(): Promise<void> {
      await rows(
        db,
        sql`update log_stamps set day = 'was ' || to_char(day::date - 1, 'YYYY-MM-DD'),
              ots_asked_at = ots_asked_at - interval '1 day'`,
      )
      await rows(db, sql`update log_stamps set day = substr(day, 5)`)
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const server of servers) await server[Symbol.asyncDispose]()
      await authority[Symbol.asyncDispose]()
    },
  }
  await shop.grow()
  return shop
}
