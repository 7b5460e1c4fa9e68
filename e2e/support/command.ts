import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The output and exit status of a command. */
export type CommandResult = { status: number; stdout: string; stderr: string }

/** Runs a program of the project as its npm script does, from the folder `from`. */
export async function runScript(
  from: string,
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [join(root, 'tools/run.mjs'), file, ...args], {
    cwd: root,
    env: { ...process.env, INIT_CWD: from, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}
