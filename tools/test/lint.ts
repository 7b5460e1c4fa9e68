import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type Ended, runCommand } from './command.ts'

const LINT = ['ci', '--error-on-warnings', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`]

/**
 * Biome's scanner skips every path with a segment `.cache`, `.git`, `.hg`, `.yarn` or `.vercel`, also above the project;
 * rules that need other files then fail or report nothing. Seen with Biome 2.6.8.
 */
const UNSCANNED = 'no package.json file was found'

/** Packages and build output. */
const LEFT_OUT = ['node_modules', '.runtime', '.git', 'dist', 'data', 'artifacts', 'cache', 'shots']

/** Runs Biome on the project at `root`, or on a copy in `copies` if its scanner would skip that path. */
export async function lint(root: string, copies = tmpdir()): Promise<Ended> {
  const inPlace = await biome(root, root)
  if (inPlace.status === 0 || !inPlace.output.includes(UNSCANNED)) return inPlace
  const folder = mkdtempSync(join(copies, 'befaqt-lint-'))
  try {
    copyProject(root, folder)
    return await biome(root, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const biome = (root: string, cwd: string): Promise<Ended> =>
  runCommand(process.execPath, [join(root, 'node_modules/@biomejs/biome/bin/biome'), ...LINT], { cwd })

/** Copies the sources and links the packages, so that those of the workspaces resolve to the copy. */
function copyProject(root: string, folder: string): void {
  const isSource = (path: string): boolean =>
    relative(root, path)
      .split(/[/\\]/)
      .every((part) => !LEFT_OUT.includes(part))
  cpSync(root, folder, { recursive: true, filter: isSource })
  linkEntries(join(root, 'node_modules'), join(folder, 'node_modules'))
}

function linkEntries(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const entry = join(from, name)
    const target = lstatSync(entry).isSymbolicLink() ? readlinkSync(entry) : entry
    if (name.startsWith('@')) linkEntries(entry, join(to, name))
    else symlinkSync(target, join(to, name))
  }
}
