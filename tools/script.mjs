import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's own folder, wherever it was put. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Absolute path of a file of the project.
 * @param {string[]} parts
 */
export const fromRoot = (...parts) => join(root, ...parts)

/**
 * Whether an error is the system's word that this is so, for example ENOENT: no such file.
 * @param {unknown} error
 * @param {string} code
 */
export const isCode = (error, code) => error instanceof Error && 'code' in error && error.code === code

/** A reason to stop that a person can act on. It is printed as a sentence, without a stack. */
export class UserError extends Error {}

/**
 * One line of progress. On stderr, because stdout belongs to the program that is run.
 * @param {string} line
 */
export const log = (line) => process.stderr.write(`befaqt: ${line}\n`)

/**
 * Runs a script: its number becomes the exit status, a UserError becomes a sentence and status 1.
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
