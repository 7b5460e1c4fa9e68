// npm runs this (script "dependencies") after it has changed node_modules, whoever asked for it. Packages put there
// under our own Node count as installed; packages put there under another Node lack native parts, so they don't.
import { realpathSync } from 'node:fs'
import { completeLock } from './complete-lock.mjs'
import { forgetInstall, stampInstall } from './install.mjs'
import { node24 } from './node24.mjs'
import { launch } from './say.mjs'

await launch(async () => {
  completeLock()
  const node = await node24()
  const used = process.env.npm_node_execpath ?? process.execPath
  if (realpathSync(used) === realpathSync(node)) stampInstall()
  else forgetInstall()
  return 0
})
