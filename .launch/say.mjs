/**
 * Whether an error is the system's word that this is so, for example ENOENT: no such file.
 * @param {unknown} error
 * @param {string} code
 */
export const isCode = (error, code) => error instanceof Error && 'code' in error && error.code === code

/** A reason to stop that a person can act on. It is printed as one sentence, without a stack. */
export class Stop extends Error {}

/**
 * One line of progress. On stderr, because stdout belongs to the program that is launched.
 * @param {string} line
 */
export const say = (line) => process.stderr.write(`befaqt: ${line}\n`)

/**
 * Runs a launcher: its number becomes the exit status, a Stop becomes a sentence and status 1.
 * @param {() => Promise<number>} work
 */
export const launch = async (work) => {
  try {
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    say(error.message)
    process.exitCode = 1
  }
}
