// npm start, npm run worker: everything that is missing is put in place, then the program runs until it is told to end.
import { buildPages, buildServer } from './builds.mjs'
import { runProgram } from './child.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { root } from './paths.mjs'
import { launch } from './say.mjs'
import { serverProgram } from './server-program.mjs'

await launch(async () => {
  const name = process.argv[2] === 'worker' ? 'worker' : 'main'
  const node = await node24()
  await install(node)
  const server = await buildServer(node)
  const pages = name === 'main' ? { WEB_DIST: await buildPages(node) } : {}
  const { args, env } = serverProgram(name, server)
  return runProgram(node, args, { cwd: root, env: { ...env, ...pages, ...process.env } })
})
