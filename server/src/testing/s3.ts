import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./s3-program.ts', import.meta.url))
const BUCKET = 'pictures'
/** The server's only credentials; it verifies signatures. */
const KEY = 'S3RVER'

export type TestS3 = {
  /** `FILES_URL` of its bucket, or of another name there. */
  url(bucket?: string): string
  /** Accepts connections without responding, until `thaw`. */
  freeze(): void
  thaw(): void
  /** Stops it; connections are refused until `back`. */
  away(): Promise<void>
  back(): Promise<void>
  /** Keys of the objects in the bucket. */
  keys(): Promise<string[]>
} & AsyncDisposable

/** An S3-compatible server in a process of its own. Sets the environment's credentials to those of the server. */
export async function openS3(): Promise<TestS3> {
  process.env.AWS_ACCESS_KEY_ID = KEY
  process.env.AWS_SECRET_ACCESS_KEY = KEY
  const directory = await mkdtemp(join(tmpdir(), 'befaqt-s3-'))
  let { child, port } = await start(directory, 0)
  const away = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    url: (bucket = BUCKET) => `s3://${bucket}?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    away,
    back: async () => {
      ;({ child, port } = await start(directory, port))
    },
    keys: async () => {
      const found = await readdir(join(directory, BUCKET)).catch(() => [])
      return found.flatMap((name) => (name.endsWith('._S3rver_object') ? [name.slice(0, -15)] : [])).sort()
    },
    [Symbol.asyncDispose]: async () => {
      await away()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function start(directory: string, wanted: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(PROGRAM, [directory, `${wanted}`, BUCKET], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('the S3 server has no output')
  const early = once(child, 'exit').then(([code]) => {
    throw new Error(`the S3 server ended with ${code} instead of starting`)
  })
  const [printed] = await Promise.race([once(child.stdout, 'data'), early])
  return { child, port: Number(printed) }
}
