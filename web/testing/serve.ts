/** Serves the hooks' test pages (`hooks.tsx`) on a port of its own, which it prints. `node web/testing/serve.ts` */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const built = await build({
  configFile: false,
  root: join(import.meta.dirname, '..'),
  mode: 'development',
  plugins: [react()],
  logLevel: 'warn',
  publicDir: false,
  define: { 'process.env.NODE_ENV': JSON.stringify('development') },
  build: { write: false, minify: false, rolldownOptions: { input: join(import.meta.dirname, 'hooks.tsx') } },
})
const files = 'output' in built ? built.output : []
const script = files.find((file) => file.type === 'chunk' && file.isEntry)
if (script?.type !== 'chunk') throw new Error('Vite built no script of hooks.tsx')

const html = `<!doctype html><html lang="en"><title>Hooks</title><link rel="icon" href="data:,">
<div id="root"></div><script type="module" src="/hooks.js"></script>`
const types = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8' }

const server = createServer(({ url }, reply) => {
  const [type, body] = url === '/hooks.js' ? [types.js, script.code] : [types.html, html]
  reply.writeHead(200, { 'content-type': type }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port }: Partial<AddressInfo> = Object(server.address())
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
