/**
 * Fills a folder with what a shop holds after its first start, once nothing of that is left to do.
 * `SERVER_PROGRAM=… WEB_DIST=… node e2e/support/make-sample-shop.ts FOLDER`
 */
import { startServer } from './server.ts'
import { until } from './within.ts'

/** Copies of pictures are made behind everything else, which a busy machine has much of. */
const DONE_S = 2_400

const [dataDir = ''] = process.argv.slice(2)
await using shop = await startServer({ dataDir })
await until(DONE_S, 'all boxes are anchored and no job is due', async () => {
  const metrics = await (await shop.call('/metrics')).text()
  return ['befaqt_records_pending', 'befaqt_jobs_oldest_due_seconds', 'befaqt_jobs_failed'].every((name) =>
    metrics.includes(`\n${name} 0\n`),
  )
})
await shop.stop()
