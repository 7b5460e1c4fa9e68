import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { type Server, startServer } from './server.ts'

/** A shop whose embedded database was changed by SQL between its first start and the one that tests see. */
export async function startServerWith(sql: string): Promise<Server> {
  const first = await startServer()
  await first.stop()
  const lite = await PGlite.create(join(first.dataDir, 'database'))
  try {
    await lite.exec(sql)
  } finally {
    await lite.close()
  }
  const server = await startServer({ dataDir: first.dataDir })
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await first[Symbol.asyncDispose]()
    },
  }
}
