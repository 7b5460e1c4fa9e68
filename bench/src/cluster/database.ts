import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fromRoot } from '../../../tools/script.mjs'
import { freePort } from '../../../tools/test/free-port.ts'
import { type Consensus, kitFile, kitSettings } from './consensus.ts'
import type { Daemon, Place } from './place.ts'
import { killAll, processesIn } from './processes.ts'
import type { Programs } from './programs.ts'

/** A PostgreSQL under Patroni, behind a link that the shop and HAProxy reach it by. */
export type Node = {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly linkPort: number
  readonly link: Daemon
  /** Kills the server and leaves Patroni. */
  killPostmaster(): void
  /** Kills server and Patroni at once. */
  kill(): Promise<void>
  /** Starts Patroni, and waits until its PostgreSQL runs. */
  start(): Promise<void>
}

export type Nodes = {
  all: readonly [Node, Node]
  /** Password of the superuser. */
  password: string
  /** Who is what, once one leads and the other is its synchronous standby. */
  steady(): Promise<{ primary: Node; standby: Node }>
}

const STEADY_MS = 120_000

/** Starts two nodes, and waits until the second follows the first. */
export async function startNodes(place: Place, programs: Programs, { hosts }: Consensus): Promise<Nodes> {
  const passwords = { superuser: secret(), replication: secret() }
  const make = async (name: 'one' | 'two'): Promise<Node> => {
    const [port, restPort, linkPort] = [await freePort(), await freePort(), await freePort()]
    const folder = place.own(`node-${name}`)
    const data = join(folder, 'data')
    place.own(`node-${name}/config`)
    place.write(`node-${name}/config/1.yml`, kitFile('patroni.yml'))
    // Two servers on one machine can't share Debian's folder of sockets.
    const apart = { postgresql: { parameters: { unix_socket_directories: folder } } }
    place.write(`node-${name}/config/2.yml`, JSON.stringify(apart))
    const settings = kitSettings('patroni.env', {
      ...{ PATRONI_NAME: name, PATRONI_ETCD3_HOSTS: hosts },
      ...{ PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}` },
      ...{ PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}` },
      ...{ PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}` },
      ...{ PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}` },
      ...{ PATRONI_POSTGRESQL_DATA_DIR: data, PATRONI_POSTGRESQL_BIN_DIR: programs.postgres },
      ...{ PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass') },
      ...{ PATRONI_SUPERUSER_PASSWORD: passwords.superuser },
      ...{ PATRONI_REPLICATION_PASSWORD: passwords.replication },
    })
    const patroni = place.daemon(`node-${name}`, programs.patroni, [join(folder, 'config')], settings)
    place.own(`link-${name}`)
    const link = place.daemon(`link-${name}`, process.execPath, [
      ...[fromRoot('bench/src/cluster/link.ts'), `${linkPort}`, `${port}`],
    ])
    await link.start(() => accepts(linkPort))
    return {
      ...{ name, port, restPort, linkPort, link },
      killPostmaster: () => killAll([postmaster(data)]),
      kill: async () => {
        const gone = patroni.end('SIGKILL')
        killAll([postmaster(data), ...processesIn(data)])
        await gone
      },
      start: () => patroni.start(async () => (await ask(restPort, 'health')).ok),
    }
  }
  const all = [await make('one'), await make('two')] as const
  for (const node of all) await node.start()
  const steady = async (): ReturnType<Nodes['steady']> => {
    const late = performance.now() + STEADY_MS
    for (let said = ''; ; await wait(200)) {
      const members = await membersOf(all)
      const isUp = ({ state }: Member): boolean => state === 'running' || state === 'streaming'
      const named = (role: string): Node | undefined => {
        const found = members.find((member) => member.role === role && isUp(member))
        return all.find(({ name }) => name === found?.name)
      }
      const [primary, standby] = [named('leader'), named('sync_standby')]
      if (primary && standby) return { primary, standby }
      said = members.map(({ name, role, state }) => `${name} is ${role} and ${state}`).join(', ')
      if (performance.now() > late) throw new Error(`no primary with a synchronous standby: ${said}`)
    }
  }
  await steady()
  return { all, password: passwords.superuser, steady }
}

/** Role and database of the shop, by the kit's file. @returns the role's password */
export function makeDatabase(programs: Programs, { password, all }: Nodes, primary: Node): string {
  const made = secret()
  const { status, stderr } = spawnSync(
    programs.psql,
    [
      ...['-X', '-q', '-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres', '-v', `password=${made}`],
      ...['-f', fromRoot('deploy/cluster/database.sql'), 'postgres'],
    ],
    { encoding: 'utf8', env: { PATH: process.env.PATH ?? '', PGPASSWORD: password } },
  )
  if (status !== 0) throw new Error(`database.sql on ${all.length} nodes: ${stderr}`)
  return made
}

/** For an address, so without letters that have a meaning there. */
export const secret = (): string => randomBytes(12).toString('hex')

const postmaster = (data: string): number =>
  Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])

type Member = { name: string; role: string; state: string }

/** As whichever Patroni answers sees them. */
async function membersOf(all: readonly Node[]): Promise<Member[]> {
  for (const { restPort } of all)
    try {
      const answer = await ask(restPort, 'cluster')
      return ((await answer.json()) as { members: Member[] }).members
    } catch {
      // The other one may answer.
    }
  return []
}

const ask = (port: number, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/${path}`, { signal: AbortSignal.timeout(2_000) })

/** Whether somebody listens there. */
export const accepts = (port: number): Promise<boolean> =>
  new Promise((told) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => told(false))
    socket.once('connect', () => {
      socket.destroy()
      told(true)
    })
  })
