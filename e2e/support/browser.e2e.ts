import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import test from 'node:test'
import { freePort } from '../../tools/test/free-port.ts'
import { assertAccessible, assertNoSidewaysScroll } from './accessible.ts'
import { type Visit, visit } from './browser.ts'
import { conditions } from './conditions.ts'

/** A site with a single page. */
async function site(body: string): Promise<AsyncDisposable & { url: string }> {
  const port = await freePort()
  const html = `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><main><h1>Page</h1>${body}</main>`
  const server: Server = createServer((request, reply) => {
    reply.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(html)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(port, '127.0.0.1', resolve)
  await promise
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: close }
}

const end = (seen: Visit): Promise<void> => Promise.resolve(seen[Symbol.asyncDispose]())

const faults = [
  ['an error on the console', '<script>console.error("torn net")</script>', /console: torn net/],
  ['an uncaught error', '<script>throw new Error("leak")</script>', /page error: Error: leak/],
  ['a file that is not there', '<img src="/gone.webp" alt="Gone">', /404/],
  ['a request to elsewhere', '<img src="http://127.0.0.2:1/x.png" alt="Elsewhere">', /request to elsewhere/],
] as const

for (const [name, body, pattern] of faults)
  test(`a visit fails when it ends because of ${name}, unless that was expected`, async () => {
    await using page = await site(body)
    const careless = await visit(page.url)
    await careless.page.waitForLoadState('networkidle')
    await assert.rejects(end(careless), pattern)
    const careful = await visit(page.url)
    careful.expectProblem(/torn net|leak|404|elsewhere|ERR_/)
    await careful.page.waitForLoadState('networkidle')
    await end(careful)
  })

test('a page without problems passes the checks of accessibility and width', async () => {
  await using page = await site('<p>Fish.</p>')
  await using seen = await visit(page.url)
  await assertAccessible(seen.page)
  await assertNoSidewaysScroll(seen.page)
})

test('an image without alternative text and a table that is too wide are found', async () => {
  const wide =
    '<img src="data:," width="10" height="10"><table width="2000"><tr><td class="wide">1</td></tr></table>'
  await using page = await site(wide)
  await using seen = await visit(page.url)
  await assert.rejects(assertAccessible(seen.page), /image-alt/)
  await assert.rejects(assertNoSidewaysScroll(seen.page), /<table/)
})

for (const [name, wanted] of Object.entries(conditions))
  test(`in the conditions ${name} the page meets their time zone, motion and network`, async () => {
    await using page = await site('<p>Fish.</p>')
    await using seen = await visit(page.url, wanted)
    const met = await seen.page.evaluate(async () => {
      const began = performance.now()
      await (await fetch('/')).text()
      return {
        timezoneId: Intl.DateTimeFormat().resolvedOptions().timeZone,
        reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'reduce' : 'no-preference',
        ms: performance.now() - began,
      }
    })
    const { ms, ...rest } = met
    const { network, ...others } = wanted
    assert.deepEqual(rest, others)
    if (network === 'slow') assert.ok(ms >= 140, `a request took ${ms} ms`)
  })
