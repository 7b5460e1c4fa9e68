// npm start: the whole shop; npm run worker: only the worker. Runs a build of the current sources under the pinned Node.
import { runProgram } from './child.mjs'
import { prepare } from './prepare.mjs'
import { root, runScript } from './script.mjs'

await runScript(async () => {
  const { node, args, env } = await prepare(process.argv[2] === 'worker' ? 'worker' : 'main')
  return runProgram(node, args, { cwd: root, env: { ...env, ...process.env } })
})
