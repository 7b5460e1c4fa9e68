import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import { sql } from 'drizzle-orm'
import { anchorPass } from '#server/anchoring/anchor-loop.ts'
import { rows } from '#server/db/client.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { interactiveJobs, paymentJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { stripeServer } from '../../../../tools/test/stripe-server.ts'
import { type TestDb, testDb } from '../database.ts'
import { testShop } from '../shop.ts'
import { refusal, smtpServer } from '../smtp-server.ts'
import { insertBeginning } from './beginning.ts'
import { letterReader } from './letters.ts'
import type { World } from './world.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const never = new AbortController().signal

/** The shop in this process: nothing runs beside the storm, so a seed is the same each time. */
export async function embeddedWorld(open: () => Promise<TestDb> = testDb): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const stripe = opened.use(await stripeServer())
  let refuses = false
  const smtp = opened.use(
    await smtpServer(undefined, () => (refuses ? refusal(451, 'Try again later') : null)),
  )
  const env = { ...stripe.env, SMTP_URL: smtp.url, TRUSTED_PROXIES: '127.0.0.1' }
  const { deps, app, ...shop } = opened.use(await testShop({ open, env }))
  const { db } = deps
  const tokens = await insertBeginning(db)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const handlers = { ...interactiveJobs(deps), ...paymentJobs(deps) }
  const checkLead = async (): Promise<void> => undefined
  const anchoring = { db, chain: deps.chain, now: deps.now, log: silent, feeBumpAfterS: 120, checkLead }
  const all = opened.move()
  return {
    ...shop,
    ...{ db, siteFile: deps.siteFile, tokens, stripe },
    send: ({ method, url, headers, payload }) =>
      app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) }),
    letters: letterReader(smtp.mails),
    refuseMail: (whether) => {
      refuses = whether
    },
    settle: async () => {
      await rows(db, sql`update jobs set run_at = now() where attempts > 0 and failed_at is null`)
      await runDueJobs(db, handlers, silent, never)
      await watchBoxes(deps)
      await runDueJobs(db, handlers, silent, never)
    },
    anchor: async () => {
      while ((await anchorPass(anchoring, 0, never)) !== 'idle');
    },
    ledgerUrl: `${address}${readChain.url}`,
    processes: 1,
    kill: null,
    restart: async () => undefined,
    faults: () => [],
    wasKilled: false,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
