import { createHash } from 'node:crypto'
import { readRestore } from '@befaqt/domain/api/endpoints/restore'
import type { RestoreProgress, RestoreState } from '@befaqt/domain/restore'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { isApiPath } from '#server/http/errors.ts'
import { httpServer } from '#server/http/http-server.ts'
import { secureHeaders } from '#server/http/security-headers.ts'
import { placeOf, restoreFolder } from './restore-folder.ts'

const RETRY_S = 3

/**
 * What answers while a backup is restored: the page of restores is told how far it is, probes that the process lives, and
 * everybody else that the shop will be back, with 503. Does not listen.
 */
export async function restoringApp(
  config: Config,
  log: Logger,
  progressOf: () => RestoreProgress,
): Promise<FastifyInstance> {
  const app = httpServer(log)
  secureHeaders(app, config)
  const place = await placeOf(restoreFolder(config))
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    reply.headers({ 'cache-control': 'no-store', connection: 'close' })
    if (path === '/healthz' || path === '/readyz') return reply.send({ ok: true, process: 'restoring' })
    if (path === readRestore.url && request.method === 'GET') {
      const nothing = { refused: null, maxBytes: 0, freeBytes: null, upload: null, outcome: null }
      return reply.send({ ...nothing, place, progress: progressOf() } satisfies RestoreState)
    }
    reply.code(503).header('retry-after', String(RETRY_S))
    const message = 'A backup is being restored: the shop is back in a moment.'
    if (isApiPath(request.url) || !['GET', 'HEAD'].includes(request.method))
      return reply.send({ error: { code: 'unavailable', message } })
    const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(pageFor(progressOf()))
  })
  return app
}

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif }
body { margin: 0; padding: 12vh 1.25rem; background: light-dark(#f7fafb, #0f1a20); color: light-dark(#14262e, #e6eef1) }
main { max-width: 32rem; margin: auto }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1rem }
progress { width: 100%; height: .75rem; accent-color: light-dark(#0b6b7d, #5cc3d4) }`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const STEPS = {
  checking: 'The backup is being read.',
  restoring: 'The backup is being restored.',
  starting: 'The shop is starting.',
}

/** Looks again by itself, without a script. */
function pageFor({ step, rows, about, objects }: RestoreProgress): string {
  const count = (n: number): string => n.toLocaleString('en')
  const bar = about > 0 ? `value="${Math.min(rows, about)}" max="${about}"` : ''
  const far = about > 0 ? `${count(rows)} rows of about ${count(about)}, ${count(objects)} files.` : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Being restored</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${RETRY_S}">
<style>${STYLE}</style></head><body><main><h1>This shop is being restored</h1>
<p>${STEPS[step]} ${far}</p><progress aria-label="Rows restored" ${bar}></progress>
<p>This page looks again every few seconds. Nothing is lost when you close it.</p></main></body></html>
`
}
