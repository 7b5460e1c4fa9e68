/** Serves the hooks' test pages (`hooks.tsx`) on a port of its own, which it prints. `node web/testing/serve.ts` */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const built = await build({
  configFile: false,
  root: join(import.meta.dirname, '..'),
  mode: 'development',
  plugins: [react(), tailwind()],
  logLevel: 'warn',
  publicDir: false,
  define: { 'process.env.NODE_ENV': JSON.stringify('development') },
  build: {
    write: false,
    minify: false,
    assetsInlineLimit: 1_000_000, // fonts
    rolldownOptions: {
      input: [join(import.meta.dirname, 'hooks.tsx'), join(import.meta.dirname, '../src/styles/index.css')],
    },
  },
})
const files = 'output' in built ? built.output : []
const script = files.find((file) => file.type === 'chunk' && file.name === 'hooks')
const styles = files.find(({ fileName }) => fileName.endsWith('.css'))
if (script?.type !== 'chunk' || styles?.type !== 'asset')
  throw new Error('Vite built no script of hooks.tsx, or no styles')

const html = `<!doctype html><html lang="en"><title>Hooks</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/hooks.css"><div id="root"></div><script type="module" src="/hooks.js"></script>`
const types = { html: 'text/html; charset=utf-8', css: 'text/css', js: 'text/javascript; charset=utf-8' }

const server = createServer(({ url }, reply) => {
  const files: Record<string, [type: string, body: string | Uint8Array]> = {
    '/hooks.js': [types.js, script.code],
    '/hooks.css': [types.css, styles.source],
    // What tests of hooks look for is not laid out, so that they wait for nothing but the hook.
    '/components': [types.html, html],
  }
  const [type, body] = files[url ?? ''] ?? [types.html, html.replace(/<link rel="stylesheet"[^>]*>/, '')]
  reply.writeHead(200, { 'content-type': type }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port }: Partial<AddressInfo> = Object(server.address())
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
