import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { textOf } from '../digest.ts'
import { mirrorPath, monitorPath } from '../log/add-checkpoint.ts'
import { ask } from '../log/ask.ts'
import { keyTypes, parseVerifierKey, type VerifierKey, verifierKeyText } from '../log/note.ts'

const program = fileURLToPath(new URL('../witness/main.ts', import.meta.url))
const killing = fileURLToPath(new URL('kill-at-step.ts', import.meta.url))

/** A witness that runs as a process of its own. */
export interface WitnessProcess extends AsyncDisposable {
  readonly url: string
  /** Ed25519, then ML-DSA-44. */
  readonly keys: readonly VerifierKey[]
  /** Those of its mirror; none: it keeps no copy. */
  readonly mirrorKeys: readonly VerifierKey[]
  /** What it has said. */
  readonly told: readonly string[]
  add(request: string): Promise<{ status: number; type: string; text: string }>
  /** What it shows of its log, or of another one. */
  monitor(origin?: string): Promise<string | undefined>
  /** The log, or another one, as its mirror has it: its checkpoint, and what is at another path of it. */
  copy(path?: string, origin?: string): Promise<Uint8Array | undefined>
  /** Resolves once it has said something like it. */
  until(words: RegExp): Promise<string>
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<unknown>
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
  /** Name of its mirror; without it, no copy is kept. */
  mirror?: string
  /** File of a checker that it serves, and of the policy beside it. */
  checker?: string
  policy?: string
  args?: string[]
  /** It ends at this one of its steps, see kill-at-step.ts. */
  killAt?: number
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
  mirror,
  checker,
  policy,
  killAt,
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
  ...(killAt !== undefined && { KILL_AT: String(killAt) }),
  ...(mirror !== undefined && { WITNESS_MIRROR: mirror }),
  ...(checker !== undefined && { WITNESS_CHECKER: checker }),
  ...(policy !== undefined && { WITNESS_POLICY: policy }),
  ...(shopUrl === undefined ? { WITNESS_KIND: 'general' } : { WITNESS_SHOP_URL: shopUrl }),
})

/** Starts one and waits until it answers. Rejects with what it wrote when it ends before. */
export async function startWitness(settings: Settings): Promise<WitnessProcess> {
  const loaded = settings.killAt === undefined ? [] : ['--import', killing]
  const child = spawn(process.execPath, [...loaded, program, ...(settings.args ?? [])], {
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
  const keysAfter = (words: RegExp): VerifierKey[] =>
    told
      .flatMap((line) => words.exec(line)?.[1] ?? [])
      .map((text) => parseVerifierKey(text))
      .sort((a, b) => a.type - b.type)
  const limits = { maxBytes: 1_000_000, timeoutMs: 300_000 }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return {
    url,
    keys: keysAfter(/Z key (\S+)$/),
    mirrorKeys: keysAfter(/Z mirror key (\S+)$/),
    told,
    until,
    ended: exited,
    kill,
    async add(request) {
      const { status, type, body } = await ask(`${url}/add-checkpoint`, { body: request, ...limits })
      return { status, type, text: textOf(body) }
    },
    async monitor(origin = settings.log.name) {
      const { status, body } = await ask(url + monitorPath(origin), limits)
      return status === 200 ? textOf(body) : undefined
    },
    async copy(path = 'checkpoint', origin = settings.log.name) {
      const { status, body } = await ask(`${url}${mirrorPath(origin)}/${path}`, limits)
      return status === 200 ? body : undefined
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
