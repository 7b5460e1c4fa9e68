import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { textOf } from '../digest.ts'
import { monitorPath } from '../log/add-checkpoint.ts'
import { ask } from '../log/ask.ts'
import { keyTypes, parseVerifierKey, type VerifierKey, verifierKeyText } from '../log/note.ts'

const program = fileURLToPath(new URL('../witness/main.ts', import.meta.url))

/** A witness that runs as a process of its own. */
export interface WitnessProcess extends AsyncDisposable {
  readonly url: string
  /** Ed25519, then ML-DSA-44. */
  readonly keys: readonly VerifierKey[]
  /** What it has said. */
  readonly told: readonly string[]
  add(request: string): Promise<{ status: number; type: string; text: string }>
  /** What it shows of its log, or of another one. */
  monitor(origin?: string): Promise<string | undefined>
  /** Resolves once it has said something like it. */
  until(words: RegExp): Promise<string>
  /** Ends it at once, in the middle of what it does. */
  kill(): Promise<void>
  /** Lets it stop; the exit status. */
  stop(): Promise<number | null>
}

type Settings = {
  folder: string
  log: VerifierKey
  name?: string
  logUrl?: string
  /** Audits the anchors of the shop at this address; without it, a general witness. */
  shopUrl?: string
  /** The log of builds that it watches too, and its address. */
  builds?: VerifierKey
  buildsUrl?: string
  port?: number
  /** File of a checker that it serves, and of the policy beside it. */
  checker?: string
  policy?: string
  args?: string[]
}

const environmentOf = ({
  folder,
  log,
  name = 'market.example/witness',
  logUrl,
  shopUrl,
  builds,
  buildsUrl,
  port = 0,
  checker,
  policy,
}: Settings) => ({
  PATH: process.env.PATH,
  WITNESS_DIR: folder,
  WITNESS_LOG: verifierKeyText(log),
  WITNESS_NAME: name,
  WITNESS_PORT: String(port),
  WITNESS_POLL_S: '1',
  ...(logUrl !== undefined && { WITNESS_LOG_URL: logUrl }),
  ...(builds !== undefined && { WITNESS_BUILDS: verifierKeyText(builds) }),
  ...(buildsUrl !== undefined && { WITNESS_BUILDS_URL: buildsUrl }),
  ...(checker !== undefined && { WITNESS_CHECKER: checker }),
  ...(policy !== undefined && { WITNESS_POLICY: policy }),
  ...(shopUrl === undefined ? { WITNESS_KIND: 'general' } : { WITNESS_SHOP_URL: shopUrl }),
})

/** Starts one and waits until it answers. Rejects with what it wrote when it ends before. */
export async function startWitness(settings: Settings): Promise<WitnessProcess> {
  const child = spawn(process.execPath, [program, ...(settings.args ?? [])], {
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const told: string[] = []
  let refused = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    refused += text
  })
  const lines = createInterface(child.stdout)
  const ended = once(child, 'close').then(() => {
    throw new Error(`the witness ended: ${refused}${told.join('\n')}`)
  })
  ended.catch(() => undefined)
  lines.on('line', (line) => told.push(line))
  const until = async (words: RegExp): Promise<string> => {
    for (;;) {
      const found = told.find((line) => words.test(line))
      if (found !== undefined) return found
      await Promise.race([once(lines, 'line'), ended])
    }
  }
  const url = / at (http:\S+)$/.exec(await until(/ at http:/))?.[1] ?? ''
  const keys = told
    .flatMap((line) => / key (\S+)$/.exec(line)?.[1] ?? [])
    .map((text) => parseVerifierKey(text))
  const limits = { maxBytes: 1_000_000, timeoutMs: 300_000 }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return {
    url,
    keys: keys.toSorted((a, b) => a.type - b.type),
    told,
    until,
    kill,
    async add(request) {
      const { status, type, body } = await ask(`${url}/add-checkpoint`, { body: request, ...limits })
      return { status, type, text: textOf(body) }
    },
    async monitor(origin = settings.log.name) {
      const { status, body } = await ask(url + monitorPath(origin), limits)
      return status === 200 ? textOf(body) : undefined
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
    [Symbol.asyncDispose]: kill,
  }
}

/** The key that browsers can check too. */
export const ed25519Of = (witness: Pick<WitnessProcess, 'keys'>): VerifierKey => {
  const key = witness.keys.find(({ type }) => type === keyTypes.ed25519Cosigner)
  if (key === undefined) throw new Error('the witness named no Ed25519 key')
  return key
}
