import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './script.mjs'

/** A minimal project with our launchers and no packages from a registry. Use with `await using`. */
export type SmallProject = AsyncDisposable & {
  folder: string
  write(path: string, text: string): Promise<void>
  /** Changes the version of its only package, in the lock file, too. */
  setVersion(version: string): Promise<void>
  /** Starts a launcher by its file name; it is killed at the end of the block if it still runs. */
  start(launcher: string, args?: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess
  /** Starts a launcher and waits for its end. */
  run(launcher: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>
}

export type Ended = { status: number | null; stdout: string; stderr: string }

const manifest = { name: 'small', version: '1.0.0', type: 'module', workspaces: ['part'] }

/** Creates one in a temporary folder. It shares the downloaded Node with the real project. */
export async function smallProject(): Promise<SmallProject> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-launch-'))
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await cp(join(root, 'tools'), join(folder, 'tools'), { recursive: true })
  await mkdir(join(folder, '.runtime'))
  await symlink(join(root, '.runtime/node_modules'), join(folder, '.runtime/node_modules'))
  const setVersion = async (version: string): Promise<void> => {
    const part = { name: 'part', version }
    const packages = { '': manifest, 'node_modules/part': { resolved: 'part', link: true }, part }
    const lock = { name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
    await write('part/package.json', JSON.stringify(part))
    await write('package-lock.json', JSON.stringify(lock))
  }
  await write('package.json', JSON.stringify(manifest))
  await setVersion('1.0.0')
  const started: ChildProcess[] = []
  const start = (
    launcher: string,
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): ChildProcess => {
    const child = spawn(process.execPath, [join(folder, 'tools', launcher), ...args], {
      cwd: folder,
      // The suite's own pages and compile cache do not belong to this project.
      env: { ...process.env, WEB_DIST: undefined, NODE_COMPILE_CACHE: undefined, INIT_CWD: folder, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    started.push(child)
    return child
  }
  const run = (...how: Parameters<typeof start>): Promise<Ended> => ended(start(...how))
  return {
    folder,
    write,
    setVersion,
    start,
    run,
    [Symbol.asyncDispose]: async () => {
      for (const child of started) killWithChildren(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Kills what a test that failed left running: a launcher and its programs, which are a process group. */
function killWithChildren({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  process.kill(-pid, 'SIGKILL')
}

async function ended(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  return { status: await promise, ...said }
}
