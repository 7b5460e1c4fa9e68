// npm run dev: the whole shop from its sources. A change of a page is seen at once, one of the server restarts it.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runProgram } from './child.mjs'
import { prepare } from './prepare.mjs'
import { fromRoot, root, runScript } from './script.mjs'

/** A folder that looks like a build of the pages to the shop: its renderer is web/dev.ts. */
function devPages() {
  const folder = fromRoot('.runtime', 'dev')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'server'), { recursive: true })
  symlinkSync(fromRoot('web', 'public'), join(folder, 'client'))
  const renderer = pathToFileURL(fromRoot('web', 'dev.ts')).href
  writeFileSync(join(folder, 'server', 'entry-server.js'), `export { render } from '${renderer}'\n`)
  return folder
}

await runScript(async () => {
  const { node } = await prepare()
  const port = Number(process.env.PORT ?? 3000)
  const env = {
    PUBLIC_URL: `http://localhost:${port}`,
    ...process.env,
    NODE_ENV: 'development',
    TRUSTED_PROXIES: 'loopback',
    WEB_DIST: devPages(),
    DEV_PORT: String(port),
    PORT: process.env.SHOP_PORT ?? String(port + 1),
  }
  const program = ['--watch', '--watch-preserve-output', fromRoot('server', 'src', 'main.ts')]
  return runProgram(node, program, { cwd: root, env })
})
