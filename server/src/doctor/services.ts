import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#server/config/config.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { describeSmtpError, trySmtp } from '#server/mail/mailer.ts'
import { tryBroker } from '#server/mqtt/outside-client.ts'
import { fault, note, ok, reasonOf, type Said, warning } from './finding.ts'

/** Is the shop to be reached from elsewhere? */
export const isPublic = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean =>
  !['localhost', '127.0.0.1', '[::1]'].includes(new URL(PUBLIC_URL).hostname)

/** Settings that are right by themselves, and not what a shop that visitors reach has. */
export function saySettings(config: Config): Said[] {
  const said: Said[] = []
  const isSecure = new URL(config.PUBLIC_URL).protocol === 'https:'
  if (isPublic(config) && !isSecure)
    said.push(
      warning(
        `PUBLIC_URL: ${config.PUBLIC_URL} has no HTTPS.`,
        'Passwords and sessions can be read on their way: put a proxy with a certificate in front.',
      ),
    )
  if (isPublic(config) && config.SAMPLE_DATA)
    said.push(note('SAMPLE_DATA is on: an empty shop begins with invented products.'))
  if (isPublic(config) && config.TRUSTED_PROXIES.length === 0 && isSecure)
    said.push(
      warning(
        'TRUSTED_PROXIES: none, and pages are reached by HTTPS, so by a proxy.',
        'All visitors look like one to the limits: name the proxy’s address.',
      ),
    )
  if (config.DATABASE_URL !== undefined && config.FILES_URL === undefined)
    said.push(note('Files are in DATA_DIR: all processes of the shop need the same folder.'))
  return said.length > 0 ? said : [ok(config.PUBLIC_URL)]
}

/** Does the mail server answer, and take the login? Sends nothing. */
export async function sayMail(config: Config, limitMs: number): Promise<Said[]> {
  if (config.SMTP_URL === undefined)
    return [
      isPublic(config)
        ? warning(
            'SMTP_URL is not set: emails are only written into DATA_DIR/outbox.',
            'Nobody gets a confirmation, nor can set a password anew: name a mail server.',
          )
        : note('No mail server: emails are written into DATA_DIR/outbox.'),
    ]
  const { host } = new URL(config.SMTP_URL)
  try {
    await trySmtp(config.SMTP_URL, limitMs)
    return [ok(`${host} answers.`)]
  } catch (error) {
    return [
      fault(
        `SMTP_URL: ${host}: ${describeSmtpError(error)}`,
        'Emails wait and are tried for days: correct it, or start the server.',
      ),
    ]
  }
}

/** Does the outside broker let us in? By a session of its own, which leaves the shop's alone. */
export async function sayBroker(config: Config, limitMs: number): Promise<Said[]> {
  if (config.MQTT_URL === undefined)
    return [note('No outside broker: devices reach the shop’s own, if MQTT_PORT is open.')]
  const url = new URL(config.MQTT_URL)
  try {
    const way = await tryBroker(url, limitMs / 2)
    return way === 'shared'
      ? [ok(`${url.host} lets the shop in, and every process takes readings.`)]
      : [
          ok(`${url.host} lets the shop in.`),
          note('It has no MQTT 5 with subscription identifiers: one process alone takes all readings.'),
        ]
  } catch (error) {
    return [
      fault(
        `MQTT_URL: ${url.host}: ${reasonOf(error)}`,
        'Readings wait in the broker, or in the devices: correct it, or start the broker.',
      ),
    ]
  }
}

/** Can the bucket be read with these keys? Nothing is written, as the check of the running shop may. */
export async function sayBucket(filesUrl: string, store: FileStore): Promise<Said[]> {
  const { hostname } = new URL(filesUrl)
  try {
    await store.read('check')
    return [ok(`The bucket ${hostname} can be read.`)]
  } catch (error) {
    return [
      fault(
        `FILES_URL: the bucket ${hostname} can't be read: ${reasonOf(error)}`,
        'Check its address, keys and rights.',
      ),
    ]
  }
}

/** What the process of this machine says of itself. It need not run. */
export async function sayProcess(
  { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>,
  limitMs: number,
): Promise<Said[]> {
  const host = ['0.0.0.0', '::', '[::]'].includes(HOST) ? '127.0.0.1' : HOST
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
  if (!(await listens(host, PORT, limitMs / 2)))
    return [note(`No process of the shop answers at ${url}: it does not run, or elsewhere.`)]
  const signal = AbortSignal.timeout(limitMs / 2)
  const parts = await fetch(`${url}/readyz`, { signal })
    .then(async (answer): Promise<unknown> => answer.json())
    .catch(() => undefined)
  if (typeof parts !== 'object' || parts === null || !('ok' in parts))
    return [
      fault(
        `What listens at ${url} does not say whether it is ready.`,
        'It is another program, or hangs: look at its log, start it again.',
      ),
    ]
  const said = Object.entries(parts)
    .filter(([part, state]) => part !== 'ok' && state !== 'ok')
    .map(([part, state]) => {
      const words = `The process at ${url} says of its ${part}: ${String(state).slice(0, 300)}`
      return warning(words, 'See Probes and Outages in docs/operations.md.')
    })
  return said.length > 0 ? said : [ok(`The process at ${url} is ready, and all its parts work.`)]
}

async function listens(host: string, port: number, limitMs: number): Promise<boolean> {
  const socket = connectTcp({ host, port })
  try {
    return await Promise.race([
      new Promise<boolean>((resolve) => {
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
      }),
      sleep(limitMs, false, { ref: false }),
    ])
  } finally {
    socket.destroy()
  }
}
