// npm run build: the pages, when they are stale. npm start and npm test do it too.
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { buildPages } from './pages.mjs'
import { launch } from './say.mjs'

await launch(async () => {
  const node = await node24()
  await install(node)
  await buildPages(node)
  return 0
})
