/**
 * The pages from their sources, for `npm run dev` (tools/dev.mjs): the shop imports this module as its page renderer, in
 * place of a build. Vite stands in front of it on `DEV_PORT`, sends scripts and styles itself and hands all else on to
 * the shop on `PORT`. A changed component is replaced in the open page; what can't be replaced reloads it.
 */
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createServer, isRunnableDevEnvironment, type Plugin } from 'vite'

type Renderer = typeof import('./src/entry-server.tsx')

const root = join(import.meta.dirname, '..')
const port = Number(process.env.DEV_PORT)
const shop = `http://127.0.0.1:${process.env.PORT}`

/** What Vite answers itself: its own modules, sources and packages. */
const OWN = '@|src/|testing/|node_modules/|components$'

/** In place of a build's manifest: a page's script is the entry's source, and what it imports the browser asks for. */
const manifest = {
  'src/entry-start.ts': { file: '@dev-start' },
  'src/entry-client.tsx': { file: '@dev-entry', css: ['src/styles/index.css'] },
}

/** What a page runs first: the ways in which changes reach it, then what a build's page runs first. */
const START = `
import '/@vite/client'
import '@vitejs/plugin-react/preamble'
import '/src/entry-start.ts'`
/** The page's script, by the address that the sources import it by: under two it would run twice. */
const ENTRY = `import '/src/entry-client.tsx'`

/** All components in their states, which is no page of the shop. */
const COMPONENTS = `
import '@vitejs/plugin-react/preamble'
import '/src/styles/index.css'
import '/testing/hooks.tsx'`
const COMPONENTS_PAGE = `<!doctype html><html lang="en-AU"><title>Components</title><div id="root"></div>
<script type="module" src="/@vite/client"></script><script type="module" src="/@dev-components"></script>`

const modules: Record<string, string> = {
  'virtual:client-manifest': `export default ${JSON.stringify(manifest)}`,
  '/@dev-start': START,
  '/@dev-entry': ENTRY,
  '/@dev-components': COMPONENTS,
}
const MARK = '\0dev:'
const devPages = (): Plugin => ({
  name: 'befaqt:dev-pages',
  enforce: 'pre',
  resolveId: (id) => (id in modules ? MARK + id : undefined),
  load: (id) => (id.startsWith(MARK) ? modules[id.slice(MARK.length)] : undefined),
  configureServer: ({ middlewares }) =>
    void middlewares.use('/components', (_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(COMPONENTS_PAGE)
    }),
})

const vite = await createServer({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  configLoader: 'native', // a bundled one is a new file each time, at which the shop would start again
  mode: 'development',
  appType: 'custom',
  clearScreen: false,
  cacheDir: join(root, '.runtime/vite'),
  // All packages are known at the start: one that is found later would reload the page.
  optimizeDeps: { entries: ['src/**/*.{ts,tsx}', '!src/**/*.test.*', '!src/field/**'] },
  plugins: [devPages()],
  server: {
    host: '127.0.0.1',
    port,
    strictPort: true,
    fs: { allow: [root, dirname(realpathSync(join(root, 'node_modules')))] }, // packages may be linked from elsewhere
    proxy: {
      [`^/(?!${OWN})`]: {
        target: shop,
        // Styles of a source that was changed are put into the page by script, which the shop's policy forbids.
        configure: (proxy) =>
          void proxy.on('proxyRes', ({ headers }) => void delete headers['content-security-policy']),
      },
    },
  },
})
await vite.listen()
const { ssr } = vite.environments
if (ssr === undefined || !isRunnableDevEnvironment(ssr)) throw new Error('Vite runs no modules here.')
const { runner } = ssr

/** Renders a page with the sources as they are now. */
export const render: Renderer['render'] = async (asked, api) => {
  const pages = (await runner.import('/src/entry-server.tsx')) as Renderer
  return pages.render(asked, api)
}
