import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config/config.ts'
import type { Deps } from '#server/deps.ts'
import { buildDeps } from '#server/deps.ts'
import type { Renderer } from '#server/pages/built-pages.ts'
import { withAnswersChecked } from './check-answers.ts'
import { type TestDb, testDb } from './database.ts'

/**
 * A shop for one test with everything real but the network: database, files, chain. Use with `await using`: its responses
 * are compared with the route definitions, and closing it fails on mismatches.
 */
export type TestShop = AsyncDisposable & { deps: Deps; app: FastifyInstance; database: TestDb }

/**
 * @param more settings, another database, dependencies to replace, and the renderer for tests of pages, which have an
 * empty folder of built files unless WEB_DIST is set
 */
export async function testShop(
  more: {
    env?: Record<string, string>
    open?: () => Promise<TestDb>
    deps?: Partial<Deps>
    render?: Renderer
  } = {},
): Promise<TestShop> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-test-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const pages = join(folder, 'pages')
  await mkdir(join(pages, 'client'), { recursive: true })
  const config = readConfig({ DATA_DIR: folder, WEB_DIST: pages, LOG_LEVEL: 'silent', ...more.env })
  const database = opened.use(await (more.open ?? testDb)())
  const log = pino({ level: config.LOG_LEVEL })
  const deps: Deps = { ...(await buildDeps(config, log, database)), ...more.deps }
  opened.defer(() => deps.chain.close())
  opened.defer(() => deps.images.close())
  opened.defer(() => deps.mailer.close())
  const { app, misfits } = await withAnswersChecked(() => buildApp(deps, more.render))
  opened.defer(() => app.close())
  const all = opened.move()
  const close = async (): Promise<void> => {
    await all.disposeAsync()
    assert.deepEqual(misfits, [], 'answers are as their routes say')
  }
  return { deps, app, database, [Symbol.asyncDispose]: close }
}
