/**
 * Writes the data of a shop after its first start to a folder, when its jobs and anchors are done.
 * `SERVER_PROGRAM=… WEB_DIST=… node e2e/support/make-sample-shop.ts FOLDER`
 */
import { startServer } from './server.ts'
import { until } from './within.ts'

/** Image variants are made at low priority, which takes long on a busy machine. */
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
