// npm run build: the pages and the server, what of them is stale. npm start and npm test do it too.
import { buildPages, buildServer } from './builds.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { launch } from './say.mjs'

await launch(async () => {
  const node = await node24()
  await install(node)
  await buildServer(node)
  await buildPages(node)
  return 0
})
