// npm run build: the pages and the server, what of them is stale. npm start and npm test do it too.
import { runScript } from './common.mjs'
import { prepare } from './prepare.mjs'

await runScript(async () => {
  await prepare('build')
  return 0
})
