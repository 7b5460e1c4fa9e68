import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPages, buildServer } from './builds.ts'
import { installPackages } from './packages.ts'
import { log, runScript } from './script.mjs'
import { serverProgram } from './server-program.ts'

/** Hash and name of the file that checks boxes, for the notes of a release. */
const readChecker = (pages: string): string =>
  readFileSync(join(pages, 'client/check.html.sha256.txt'), 'utf8').trim()

/*
 * Prepares what the parent process needs: the packages; for `main` and `worker` the build, and on stdout, as JSON, how
 * to run it; for `build` all builds.
 */
const launcher = process.ppid

await runScript(async () => {
  await installPackages()
  const [what] = process.argv.slice(2)
  if (what === 'build') await buildServer(launcher)
  if (what === 'build') log(`the checker: ${readChecker(await buildPages(launcher))}`)
  if (what === 'main' || what === 'worker') {
    const { args, env } = serverProgram(what, await buildServer(launcher))
    const pages = what === 'main' ? { WEB_DIST: await buildPages(launcher) } : {}
    process.stdout.write(JSON.stringify({ args, env: { ...env, ...pages } }))
  }
  return 0
})
