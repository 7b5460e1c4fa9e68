import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Shop } from './shop.ts'

/** Where a test file's commands run. */
export let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'box-verify-'))
})
after(() => rm(folder, { recursive: true }))

/** Two boxes under two anchors. */
export function shop(): Shop {
  const made = new Shop()
  made.append('A', 'registration', { note: 'first' })
  made.append('B', 'registration')
  made.anchor()
  made.append('A', 'catch', { note: 'second' })
  made.anchor()
  return made
}

/** Writes a file into the folder. Answers its path. */
export async function put(name: string, content: unknown): Promise<string> {
  const file = join(folder, name)
  await writeFile(
    file,
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  )
  return file
}

/** Runs one of the commands in its own process, as npm does. */
export async function run(script: 'cli' | 'cli-evidence' | 'cli-export' | 'cli-receipt', ...args: string[]) {
  const path = fileURLToPath(new URL(`../${script}.ts`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { env: { ...process.env, INIT_CWD: folder } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  await once(child, 'close')
  return { out, err, status: child.exitCode }
}
