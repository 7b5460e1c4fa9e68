// node tools/run.mjs FILE [argument…]: runs a program of the project under the pinned Node, with packages installed.
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { runProgram } from './child.mjs'
import { prepare } from './prepare.mjs'
import { fromRoot, root, runScript, UserError } from './script.mjs'

/**
 * npm starts us in the project's folder, so a file argument that is relative to the caller's folder is made absolute.
 * @param {string} argument
 */
const fromCaller = (argument) => {
  const caller = process.env.INIT_CWD ?? process.cwd()
  const there = resolve(caller, argument)
  const isNamed = caller !== root && argument !== '' && !isAbsolute(argument) && existsSync(there)
  return isNamed ? there : argument
}

await runScript(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (!file) throw new UserError('Please name the file to run: node tools/run.mjs FILE [argument…]')
  const { node } = await prepare()
  return runProgram(node, [fromRoot(file), ...args.map(fromCaller)], { cwd: root })
})
