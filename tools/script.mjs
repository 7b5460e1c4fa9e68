import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Absolute path of a file of the project.
 * @param {string[]} parts
 */
export const fromRoot = (...parts) => join(root, ...parts)

/**
 * Does an error have this system error code, such as ENOENT?
 * @param {unknown} error
 * @param {string} code
 */
export const isCode = (error, code) => error instanceof Error && 'code' in error && error.code === code

/** An error that a person can act on. Its message is printed without a stack. */
export class UserError extends Error {}

/**
 * One line of progress. On stderr, because stdout belongs to the program that is run.
 * @param {string} line
 */
export const log = (line) => process.stderr.write(`befaqt: ${line}\n`)

/**
 * Runs a script: its result is the exit status; a UserError is printed and gives status 1.
 * @param {() => Promise<number>} work
 */
export const runScript = async (work) => {
  try {
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    log(error.message)
    process.exitCode = 1
  }
}
