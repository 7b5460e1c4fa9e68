import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { freePort } from '../../../tools/test/free-port.ts'
import { kitFile, kitSettings, kitText } from './consensus.ts'
import { accepts, type Node, secret } from './database.ts'
import type { Daemon, Place } from './place.ts'
import type { Programs } from './programs.ts'

/** HAProxy in front of web processes and of PostgreSQL. */
export type Balancer = {
  /** Where visitors come in. */
  visitors: number
  /** Where PostgreSQL's primary answers. */
  primary: number
  /** Whether it sends visitors to both web processes. */
  sendsToBoth(): Promise<boolean>
}

/** @param webs ports of the two web processes */
export async function startBalancer(
  place: Place,
  programs: Programs,
  [one, two]: readonly [Node, Node],
  webs: readonly [number, number],
): Promise<Balancer> {
  const [visitors, primary] = [await freePort(), await freePort()]
  const socket = join(place.own('haproxy'), 'admin.sock')
  const file = place.write('haproxy/haproxy.cfg', kitFile('haproxy.cfg'))
  const settings = kitSettings('haproxy.env', {
    ...{ ADMIN_SOCKET: socket, VISITORS: `127.0.0.1:${visitors}`, PRIMARY: `127.0.0.1:${primary}` },
    ...{ WEB_1: `127.0.0.1:${webs[0]}`, WEB_2: `127.0.0.1:${webs[1]}` },
    ...{ POSTGRES_1: `127.0.0.1:${one.linkPort}`, PATRONI_PORT_1: `${one.restPort}` },
    ...{ POSTGRES_2: `127.0.0.1:${two.linkPort}`, PATRONI_PORT_2: `${two.restPort}` },
  })
  const haproxy = place.daemon('haproxy', programs.haproxy, ['-db', '-f', file], settings)
  await haproxy.start(() => accepts(visitors))
  return {
    visitors,
    primary,
    sendsToBoth: async () => {
      const lines = (await told(socket, 'show stat')).split('\n').map((line) => line.split(','))
      // Columns: HAProxy 2.6, management guide, 9.1: pxname, svname, …, status.
      return lines.filter(([proxy, , ...rest]) => proxy === 'ready' && rest[15] === 'UP').length === 3
    },
  }
}

/** What HAProxy answers on its socket. */
const told = (path: string, command: string): Promise<string> =>
  new Promise((answered, failed) => {
    let said = ''
    const socket = connect(path, () => socket.write(`${command}\n`))
    socket.setEncoding('utf8')
    socket.on('error', failed)
    socket.on('data', (text: string) => {
      said += text
    })
    socket.on('end', () => answered(said))
  })

/** PgBouncer with the kit's file. @param to the port of PostgreSQL, or of who leads there */
export async function startPooler(
  place: Place,
  { pgbouncer }: Programs,
  { name, to, password }: { name: string; to: number; password: string },
): Promise<{ port: number; restart(): Promise<void> }> {
  const port = await freePort()
  place.own(name)
  const users = place.write(`${name}/userlist.txt`, `"befaqt" "${password}"\n`)
  const text = kitText('pgbouncer.ini', {
    'port=5000': `port=${to}`,
    'listen_port = 6432': `listen_port = ${port}\nunix_socket_dir =`,
    '/etc/pgbouncer/userlist.txt': users,
  })
  const file = place.write(`${name}/pgbouncer.ini`, text)
  const daemon: Daemon = place.daemon(name, pgbouncer, [file])
  const start = (): Promise<void> => daemon.start(() => accepts(port))
  await start()
  return {
    port,
    restart: async () => {
      await daemon.end('SIGTERM')
      await start()
    },
  }
}

/**
 * Mosquitto with the kit's file. @param boxes whose devices may publish
 * @returns addresses of the shop and of a device
 */
export async function startBroker(
  place: Place,
  programs: Programs,
  boxes: readonly string[],
): Promise<{ url: string; device(box: string): string }> {
  const port = await freePort()
  const folder = place.own('mosquitto')
  place.own('mosquitto/data')
  const passwords = new Map(['befaqt', ...boxes].map((user) => [user, secret()]))
  const users = [...passwords].map(([user, password]) => `${user}:${password}\n`).join('')
  const passwordFile = place.write('mosquitto/passwords', users)
  execFileSync(
    join(dirname(programs.mosquitto), '../bin/mosquitto_passwd'),
    ['-U', passwordFile],
    programs.user,
  )
  const acl = place.write('mosquitto/acl', kitFile('../mosquitto/acl'))
  const text = kitText('../mosquitto/mosquitto.conf', {
    'listener 1883\n': `listener ${port} 127.0.0.1\n`,
    '/mosquitto/passwords/passwords': passwordFile,
    '/mosquitto/config/acl': acl,
    '/mosquitto/data/': `${folder}/data/`,
  })
  const file = place.write('mosquitto/mosquitto.conf', text)
  await place.daemon('mosquitto', programs.mosquitto, ['-c', file]).start(() => accepts(port))
  const at = (user: string): string => `mqtt://${user}:${passwords.get(user)}@127.0.0.1:${port}`
  return { url: at('befaqt'), device: at }
}
