// npm test, npm run check: puts Node and the packages in place and hands over to the test suite.
import { runProgram } from './child.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { inRoot, root } from './paths.mjs'
import { launch } from './say.mjs'

await launch(async () => {
  const node = await node24()
  await install(node)
  return runProgram(node, [inRoot('.launch/suite/main.ts'), ...process.argv.slice(2)], { cwd: root })
})
