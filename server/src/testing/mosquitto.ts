import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MqttClient } from 'mqtt'
import { freePort } from '../../../tools/test/free-port.ts'
import { connectTo } from './mqtt.ts'

/** Path of Mosquitto; undefined: tests on it are skipped. */
const program = process.env.MOSQUITTO

/** For a test's `skip` option: false when Mosquitto is available, else the reason. */
export const withoutMosquitto = program === undefined && 'no MQTT broker: MOSQUITTO is not set'

export type Mosquitto = {
  url: string
  /** A client of the broker that does not reconnect. */
  device(): Promise<MqttClient>
  /** Stops it as a service manager does, or kills it. Its persisted data stays. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Resolves when the broker's log has so many more matches. */
  says(line: RegExp, times?: number): Promise<void>
} & AsyncDisposable

/**
 * A Mosquitto for one test. It persists messages to disk every second and when it stops, and queues them for the shop
 * without limit.
 */
export async function openMosquitto(): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-mosquitto-'))
  const port = await freePort()
  const settings = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'user root',
    'persistence true',
    `persistence_location ${folder}/`,
    'autosave_interval 1',
    'max_queued_messages 0',
    'log_dest stderr', // unlike stdout it is not buffered
    'log_type all',
  ]
  const file = join(folder, 'mosquitto.conf')
  await writeFile(file, `${settings.join('\n')}\n`)
  const clients: MqttClient[] = []
  let child: ChildProcess | undefined
  const heard = new Set<(text: string) => void>()
  const says = (line: RegExp, times = 1): Promise<void> =>
    new Promise((found) => {
      let text = ''
      const hear = (more: string): void => {
        text += more
        if (text.split(line).length <= times) return
        heard.delete(hear)
        found()
      }
      heard.add(hear)
    })
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill(signal)
    child = undefined
    await ended
  }
  const start = async (): Promise<void> => {
    const running = says(/mosquitto version [\d.]+ running/)
    child = spawn(program ?? '', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      for (const hear of heard) hear(text)
    })
    const early = once(child, 'exit').then(([code]) => {
      throw new Error(`Mosquitto ended with ${code} instead of starting`)
    })
    await Promise.race([running, early])
  }
  await start()
  return {
    url: `mqtt://127.0.0.1:${port}`,
    device: async () => {
      const client = await connectTo(port, {})
      clients.push(client)
      return client
    },
    end,
    start,
    says,
    [Symbol.asyncDispose]: async () => {
      heard.clear()
      for (const client of clients) client.end(true)
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
