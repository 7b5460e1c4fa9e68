import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { printable } from '../cli-report.ts'
import { verifierKeyText } from '../log/note.ts'
import { followOnce } from './follow.ts'
import { signersOf } from './keys.ts'
import { serveWitness } from './serve.ts'
import { readSettings, SettingError, type WitnessSettings } from './settings.ts'
import { Store, StoreError } from './store.ts'
import { Witness } from './witness.ts'

const USAGE = `Usage: WITNESS_LOG=KEY WITNESS_NAME=NAME npm run witness [-- --folder-is-newest]

Signs each state of a log that continues the one it signed before. README and docs/operations.md name the settings.
  --folder-is-newest  the folder was moved here, and nothing was signed since with another copy of it`

const CONFIRM = '--folder-is-newest'

const tell = (words: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${words.split('\n').map(printable).join('\n')}\n`)
}

async function main(args: readonly string[]): Promise<void> {
  if (args.some((argument) => argument !== CONFIRM)) throw new SettingError(USAGE)
  const settings = readSettings(process.env)
  const store = await Store.open(settings.folder)
  const signers = await signersOf(store, settings.name)
  const nowS = (): number => Math.floor(Date.now() / 1000)
  const witness = await Witness.begin({ log: settings.log, signers, memory: store, nowS, tell })
  if (args.includes(CONFIRM)) await witness.confirm()
  if (witness.held !== undefined)
    tell(`not signing: ${witness.held}. If nothing was signed since with another copy, start with ${CONFIRM}`)
  const keys = signers.map(({ key }) => key)
  const server = serveWitness({ witness, log: settings.log, keys, tell })
  server.listen(settings.port, settings.host)
  await once(server, 'listening')
  for (const key of keys) tell(`key ${verifierKeyText(key)}`)
  const { port } = server.address() as AddressInfo
  tell(`witness of ${settings.log.name} at http://${settings.host}:${port}`)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  await follow(witness, settings, stopping.signal)
  server.close()
  server.closeAllConnections()
  store.close()
}

/** Follows the log until it is told to stop; without its address it only waits. */
async function follow(
  witness: Witness,
  { log, logUrl, pollS }: WitnessSettings,
  signal: AbortSignal,
): Promise<void> {
  let told = ''
  while (!signal.aborted) {
    if (logUrl !== undefined) {
      const state = await followOnce(witness, { log, logUrl, signal }).then(
        (reply) =>
          reply === 'nothing'
            ? 'the log has no checkpoint yet'
            : reply.status === 200
              ? `signed ${witness.size} entries`
              : `not signed: ${reply.body.trim()}`,
        (error: unknown) => `the log could not be followed: ${messageOf(error)}`,
      )
      if (state !== told && !signal.aborted) tell(state)
      told = state
    }
    await pause(pollS * 1000, undefined, { signal }).catch(() => undefined)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isTheirs = error instanceof SettingError || error instanceof StoreError
  process.stderr.write(`${isTheirs ? error.message : messageOf(error)}\n`)
  process.exitCode = 1
}
