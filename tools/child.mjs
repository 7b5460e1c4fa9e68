import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions }} Options */

/** @type {readonly NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Exit status that a shell would show for a process ended by this signal.
 * @param {NodeJS.Signals} signal
 */
const statusOf = (signal) => 128 + constants.signals[signal]

/**
 * Runs a program on our terminal and waits for it. Signals sent to us are forwarded, so that it can stop cleanly; Ctrl-C
 * is not, since a terminal sends it to both processes.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<number>} its exit status; 128 + n when signal n ended it
 */
export const runProgram = async (command, args, options = {}) => {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal)
  }
  for (const signal of forwarded) process.on(signal, pass)
  const watch = process.env.npm_lifecycle_event ? onOrphaned(() => child.kill('SIGTERM')) : undefined
  try {
    return await ended(child)
  } finally {
    clearInterval(watch)
    for (const signal of forwarded) process.off(signal, pass)
  }
}

/**
 * Calls back once when the parent process is gone. npm runs scripts in a shell, and a shell that gets SIGTERM, or is
 * killed together with npm, leaves us running.
 * @param {() => void} then
 */
const onOrphaned = (then) => {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    then()
  }, 250)
  return watch
}

/**
 * Runs a program and collects its output, except what `options.stdio` redirects. A signal sent to us meanwhile ends both.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns its exit status and everything it printed
 */
export const runQuietly = async (command, args, options = {}) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  /** @type {Buffer[]} */
  const printed = []
  child.stdout?.on('data', (chunk) => printed.push(chunk))
  child.stderr?.on('data', (chunk) => printed.push(chunk))
  /** @type {NodeJS.Signals | undefined} */
  let stoppedBy
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stoppedBy = signal
    child.kill(signal)
  }
  for (const signal of forwarded) process.on(signal, stop)
  const status = await ended(child)
  for (const signal of forwarded) process.off(signal, stop)
  if (stoppedBy) process.exit(statusOf(stoppedBy))
  return { status, output: Buffer.concat(printed).toString() }
}

/**
 * @param {ChildProcess} child
 * @returns {Promise<number>}
 */
const ended = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? statusOf(signal ?? 'SIGKILL')))
  })
