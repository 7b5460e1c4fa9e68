import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

/**
 * Takes one program out of a Debian package without installing it, since its service would start and take a port.
 * @param inside its path in the package
 * @returns undefined on success, else the reason as a sentence
 */
export async function takeFromDebianPackage(
  name: string,
  inside: string,
  target: string,
): Promise<string | undefined> {
  if (!existsSync('/usr/bin/apt-get')) return `This system has no apt-get to download ${name} with.`
  process.stderr.write(`befaqt: downloading the Debian package ${name}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'befaqt-debian-'))
  try {
    const download = () => apt(['download', name], folder)
    let { status, output } = await download()
    if (status !== 0 && process.getuid?.() === 0) {
      await apt(['update'])
      ;({ status, output } = await download())
    }
    const file = readdirSync(folder).find((one) => one.endsWith('.deb'))
    if (status !== 0 || file === undefined) return `apt-get could not download ${name}. It said:\n${output}`
    const unpacked = await runCommand('dpkg-deb', ['-x', join(folder, file), folder])
    if (unpacked.status !== 0 || !existsSync(join(folder, inside)))
      return `The Debian package ${name} has no ${inside}.`
    mkdirSync(dirname(target), { recursive: true })
    const draft = `${target}.${process.pid}`
    copyFileSync(join(folder, inside), draft)
    renameSync(draft, target)
    return undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const apt = (args: readonly string[], cwd?: string) =>
  runCommand('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    ...(cwd !== undefined && { cwd }),
  })
