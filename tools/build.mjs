// npm run build: builds the pages and the server if they are out of date. npm start and npm test do it too.

import { prepare } from './prepare.mjs'
import { runScript } from './script.mjs'

await runScript(async () => {
  await prepare('build')
  return 0
})
