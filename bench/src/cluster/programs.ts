import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type User, unprivilegedUser } from '../../../tools/test/private-postgres.ts'

/** Debian packages with what each is for, and where its programs are. */
const NEEDED = {
  etcd: { package: 'etcd-server', path: '/usr/bin/etcd' },
  patroni: { package: 'patroni', path: '/usr/bin/patroni' },
  haproxy: { package: 'haproxy', path: '/usr/sbin/haproxy' },
  pgbouncer: { package: 'pgbouncer', path: '/usr/sbin/pgbouncer' },
  mosquitto: { package: 'mosquitto', path: '/usr/sbin/mosquitto' },
  psql: { package: 'postgresql-client', path: '/usr/bin/psql' },
} as const

const POSTGRES = '/usr/lib/postgresql'

/** Paths of programs; `postgres`: the folder of the server's, `user`: whom they run as. */
export type Programs = Record<keyof typeof NEEDED | 'postgres', string> & { user: User }

/** What the cluster is made of, or a sentence that says what this machine lacks and how to have it. */
export function findPrograms(): Programs | { why: string } {
  if (process.platform !== 'linux') return { why: 'The cluster runs on Linux alone.' }
  const found = new Map<string, string>()
  const missing: string[] = []
  for (const [name, { package: debian, path }] of Object.entries(NEEDED)) {
    const there = [path, ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))]
    const first = there.find((one) => existsSync(one))
    if (first === undefined) missing.push(debian)
    else found.set(name, first)
  }
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number) : []
  const postgres = versions
    .sort((a, b) => b - a)
    .map((version) => join(POSTGRES, `${version}`, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')))
  if (postgres === undefined) missing.push('postgresql')
  if (missing.length > 0 || postgres === undefined)
    return {
      why:
        `This machine lacks ${missing.join(', ')}. On Debian: ` +
        `apt-get install --no-install-recommends ${missing.join(' ')}`,
    }
  const user = unprivilegedUser()
  if ('why' in user) return user
  const at = (name: keyof typeof NEEDED): string => found.get(name) ?? ''
  return {
    ...{ etcd: at('etcd'), patroni: at('patroni'), haproxy: at('haproxy'), pgbouncer: at('pgbouncer') },
    ...{ mosquitto: at('mosquitto'), psql: at('psql'), postgres, user },
  }
}
