// node .launch/run.mjs FILE [argument…]: runs a program of the project under its own Node, packages in place.
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { runProgram } from './child.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { inRoot, root } from './paths.mjs'
import { launch, Stop } from './say.mjs'

/**
 * npm starts us in the project's folder, so a file named from another folder is found by its whole path.
 * @param {string} argument
 */
const fromCaller = (argument) => {
  const caller = process.env.INIT_CWD ?? process.cwd()
  const there = resolve(caller, argument)
  const isNamed = caller !== root && argument !== '' && !isAbsolute(argument) && existsSync(there)
  return isNamed ? there : argument
}

await launch(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (!file) throw new Stop('Please name the file to run: node .launch/run.mjs FILE [argument…]')
  const node = await node24()
  await install(node)
  return runProgram(node, [inRoot(file), ...args.map(fromCaller)], { cwd: root })
})
