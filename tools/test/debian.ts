import { existsSync } from 'node:fs'
import { runCommand } from './command.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Installs a Debian package if possible, one at a time: apt-get does not wait for another's lock.
 * @returns undefined on success, else the reason as a sentence
 */
export function installDebianPackage(name: string): Promise<string | undefined> {
  const done = last.then(() => install(name))
  last = done.catch(() => undefined)
  return done
}

async function install(name: string): Promise<string | undefined> {
  if (!existsSync('/usr/bin/apt-get')) return `This system has no apt-get to install ${name} with.`
  if (process.getuid?.() !== 0) return `Installing ${name} needs root: apt-get install ${name}.`
  process.stderr.write(`befaqt: installing the Debian package ${name}\n`)
  const args = ['install', '-y', '--no-install-recommends', name]
  const first = await apt(args)
  if (first.status === 0) return undefined
  await apt(['update'])
  const second = await apt(args)
  return second.status === 0 ? undefined : `apt-get could not install ${name}. It said:\n${second.output}`
}

const apt = (args: readonly string[]) =>
  runCommand('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
