import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { buildApp } from './app.ts'
import { buildDeps } from './build-deps.ts'
import { readConfig } from './config.ts'
import { type TestDb, testDb } from './db/testing.ts'
import type { Deps } from './deps.ts'
import type { Renderer } from './pages/renderer.ts'

/** A shop of a test's own with everything real but the network: database, files, chain. Use with `await using`. */
export type TestShop = AsyncDisposable & { deps: Deps; app: FastifyInstance; database: TestDb }

/** @param more settings, another kind of database, what of the world to replace, and the renderer where pages are tested */
export async function testShop(
  more: {
    env?: Record<string, string>
    open?: () => Promise<TestDb>
    deps?: Partial<Deps>
    render?: Renderer
  } = {},
): Promise<TestShop> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-test-'))
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...more.env })
  const database = await (more.open ?? testDb)()
  const log = pino({ level: config.LOG_LEVEL })
  const deps: Deps = { ...(await buildDeps(config, log, database)), ...more.deps }
  const app = await buildApp(deps, more.render)
  return {
    deps,
    app,
    database,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await deps.mailer.close()
      await deps.pictures.close()
      await deps.chain.close()
      await database[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
