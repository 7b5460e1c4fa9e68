// npm test, npm run check: installs Node and the packages, then runs the test suite.
import { runProgram } from './child.mjs'
import { prepare } from './prepare.mjs'
import { fromRoot, root, runScript } from './script.mjs'

await runScript(async () => {
  const { node } = await prepare()
  return runProgram(node, [fromRoot('tools', 'test', 'main.ts'), ...process.argv.slice(2)], { cwd: root })
})
