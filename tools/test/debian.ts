import { existsSync } from 'node:fs'
import { runCommand } from './command.ts'

/** Installs a Debian package if possible. Returns undefined on success, else the reason as a sentence. */
export async function installDebianPackage(name: string): Promise<string | undefined> {
  if (!existsSync('/usr/bin/apt-get')) return `This system has no apt-get to install ${name} with.`
  if (process.getuid?.() !== 0) return `Installing ${name} needs root: apt-get install ${name}.`
  process.stderr.write(`befaqt: installing the Debian package ${name}\n`)
  const install = ['install', '-y', '--no-install-recommends', name]
  const first = await apt(install)
  if (first.status === 0) return undefined
  await apt(['update'])
  const second = await apt(install)
  return second.status === 0 ? undefined : `apt-get could not install ${name}. It said:\n${second.output}`
}

const apt = (args: readonly string[]) =>
  runCommand('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
