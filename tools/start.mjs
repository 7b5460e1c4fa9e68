// npm start: the whole shop; npm run worker: the worker alone. Under the project's own Node, as it was built of the
// present sources.
import { runProgram } from './child.mjs'
import { prepare } from './prepare.mjs'
import { root, runScript } from './script.mjs'

await runScript(async () => {
  const { node, args, env } = await prepare(process.argv[2] === 'worker' ? 'worker' : 'main')
  return runProgram(node, args, { cwd: root, env: { ...env, ...process.env } })
})
