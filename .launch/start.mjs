// npm start: everything that is missing is put in place, then the server runs until it is told to end.
import { runProgram } from './child.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { buildPages } from './pages.mjs'
import { inRoot, root } from './paths.mjs'
import { launch } from './say.mjs'

await launch(async () => {
  const node = await node24()
  await install(node)
  await buildPages(node)
  const env = { NODE_ENV: 'production', ...process.env }
  return runProgram(node, [inRoot('server/src/main.ts')], { cwd: root, env })
})
