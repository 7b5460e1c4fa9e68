// npm run build: the pages and the server, what of them is stale. npm start and npm test do it too.

import { prepare } from './prepare.mjs'
import { runScript } from './script.mjs'

await runScript(async () => {
  await prepare('build')
  return 0
})
