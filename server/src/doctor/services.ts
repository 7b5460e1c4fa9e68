import { connect as connectTcp } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { findGap } from '#server/anchoring/index.ts'
import { openChain } from '#server/chain/open-chain.ts'
import { ChainUnreachable } from '#server/chain/port.ts'
import type { Config } from '#server/config/config.ts'
import { rows, type Tx } from '#server/db/client.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { describeSmtpError, trySmtp } from '#server/mail/mailer.ts'
import { tryBroker } from '#server/mqtt/external-broker.ts'
import { fault, note, ok, reasonOf, type Said, warning } from './finding.ts'
import type { Reading } from './reading.ts'
import { duration } from './rows.ts'

const isPublic = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean =>
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
    await tryBroker(url, limitMs)
    return [ok(`${url.host} lets the shop in.`)]
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

/** What the clock may be behind the newest block, and what a network may be silent. */
const [BEHIND_S, SILENT_S] = [30, 600]

/** Does the chain answer, is it the right one, does it hold the contract and no anchor that the database lacks? */
export async function sayChain(
  config: Config,
  reading: Reading | undefined,
  limitMs: number,
): Promise<Said[]> {
  if (config.CHAIN_RPC_URL === undefined)
    return [
      isPublic(config)
        ? warning(
            'CHAIN_RPC_URL is not set: anchors are in a chain of the shop’s own.',
            'They prove nothing to strangers: name a network that others can read.',
          )
        : note('The embedded chain, which comes from the database.'),
    ]
  const chain = await openChain(config)
  const { host } = new URL(config.CHAIN_RPC_URL)
  const said: Said[] = []
  try {
    const chainId = await chain.chainId()
    const block = (await chain.rpc({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as {
      timestamp: Hex
    }
    const age = Date.now() / 1000 - Number(block.timestamp)
    if (age < -BEHIND_S)
      said.push(
        fault(
          `The clock of this machine is ${duration(-age)} behind the newest block of chain ${chainId}.`,
          'Have this machine follow a time server (timedatectl).',
        ),
      )
    if (age > SILENT_S)
      said.push(
        note(
          `The newest block of chain ${chainId} is ${duration(age)} old: a chain without traffic, or a node that is behind.`,
        ),
      )
    const funds = BigInt(
      (await chain.rpc({ method: 'eth_getBalance', params: [chain.account, 'latest'] })) as Hex,
    )
    const price = BigInt((await chain.rpc({ method: 'eth_gasPrice', params: [] })) as Hex)
    if (funds === 0n && price > 0n)
      said.push(
        fault(
          `${chain.account}, which pays for anchors, has nothing.`,
          'Send it some of the chain’s currency.',
        ),
      )
    else if (funds < price * GAS * ANCHORS)
      said.push(
        warning(
          `${chain.account}, which pays for anchors, has enough for fewer than ${ANCHORS} of them.`,
          'Send it some more.',
        ),
      )
    if (reading !== undefined)
      said.push(...(await reading.read(limitMs, (tx) => sayLedger(config, tx, chain, chainId))))
    return said.some(({ level }) => level !== 'note')
      ? said
      : [ok(`Chain ${chainId} answers at ${host}.`), ...said]
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error
    return [
      fault(
        `CHAIN_RPC_URL: ${host} does not answer: ${reasonOf(error)}`,
        'Records stay pending until it does: check the address, or name another node.',
      ),
    ]
  } finally {
    await chain.close()
  }
}

/** What an anchor takes, and how many should be paid for ahead. */
const [GAS, ANCHORS] = [150_000n, 1_000n]

async function sayLedger(
  config: Config,
  db: Tx,
  chain: Awaited<ReturnType<typeof openChain>>,
  chainId: number,
): Promise<Said[]> {
  const ledgers = await rows<{ chainId: number; contract: string; deployedBy: string | null }>(
    db,
    sql`select chain_id as "chainId", contract, deployed_by as "deployedBy" from ledgers order by chain_id`,
  )
  if (ledgers.length === 0) return [note('No contract yet: the first start deploys one.')]
  const ours = ledgers.find((ledger) => ledger.chainId === chainId)
  if (ours === undefined)
    return [
      fault(
        `Chain ${chainId} answers, and this database anchors on chain ${ledgers.map((ledger) => ledger.chainId).join(', ')}.`,
        'Nothing is anchored on another chain: correct CHAIN_RPC_URL.',
      ),
    ]
  if (
    config.CHAIN_CONTRACT !== undefined &&
    config.CHAIN_CONTRACT.toLowerCase() !== ours.contract.toLowerCase()
  )
    return [
      fault(
        `CHAIN_CONTRACT is ${config.CHAIN_CONTRACT}, and this database anchors in ${ours.contract}.`,
        'Anchoring stops with it: take the setting away, or name that one.',
      ),
    ]
  if (!(await chain.hasCode(ours.contract as Hex)))
    return [
      fault(
        `Chain ${chainId} has no contract at ${ours.contract}.`,
        'Its deployment is not in a block yet, or this is another network of the same id: connect the one that holds it.',
      ),
    ]
  const deps = {
    db,
    chain,
    now: () => new Date(),
    log: { info: none, warn: none, error: none },
    checkLead: async () => undefined,
    feeBumpAfterS: 0,
  }
  const gap = await findGap(deps, { chainId, contract: ours.contract as Hex }).catch((error: unknown) =>
    reasonOf(error),
  )
  if (typeof gap === 'string') return [fault(gap, 'See Backup in docs/operations.md.')]
  if (gap === undefined) return []
  return [
    fault(
      `The ledger holds ${gap.last.index - gap.first.index + 1} anchors that this database does not know, with ${gap.records} records.`,
      'The database is of before them, as after a restored backup. Stop the shop, then: npm run -s ledger:recover',
    ),
  ]
}

const none = (): void => undefined

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
