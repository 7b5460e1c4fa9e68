import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fromRoot } from '../../../tools/script.mjs'
import { freePort } from '../../../tools/test/free-port.ts'
import type { Daemon, Place } from './place.ts'
import type { Programs } from './programs.ts'

/** Text of a file of the deploy kit: what operators install is what runs here. */
export const kitFile = (name: string): string => readFileSync(fromRoot('deploy/cluster', name), 'utf8')

/** Such a text with what differs by machine, each named part instead of another. @throws Error for one that it lacks */
export function kitText(name: string, parts: Record<string, string>): string {
  const text = kitFile(name)
  const unknown = Object.keys(parts).filter((part) => !text.includes(part))
  if (unknown.length > 0) throw new Error(`deploy/cluster/${name} has no ${unknown.join(', ')}`)
  return Object.entries(parts).reduce((made, [part, own]) => made.replace(part, own), text)
}

/** Settings of an environment file of the kit, with these instead of its examples. @throws Error for one that it lacks */
export function kitSettings(name: string, own: Record<string, string>): Record<string, string> {
  const found = [...kitFile(name).matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)]
  const settings = Object.fromEntries(found.map(([, key = '', value = '']) => [key, value]))
  const unknown = Object.keys(own).filter((key) => !Object.hasOwn(settings, key))
  if (unknown.length > 0) throw new Error(`deploy/cluster/${name} has no ${unknown.join(', ')}`)
  return { ...settings, ...own }
}

/** Members of etcd, which decide who is primary. */
export type Consensus = {
  /** Their addresses for clients, with commas. */
  hosts: string
  /** The member that leads, once there is one. */
  leader(): Promise<Daemon>
  start(member: Daemon): Promise<void>
}

/** Starts three members of etcd. */
export async function startConsensus(place: Place, programs: Programs): Promise<Consensus> {
  const members = []
  for (const name of ['one', 'two', 'three'])
    members.push({
      name,
      client: `http://127.0.0.1:${await freePort()}`,
      peer: `http://127.0.0.1:${await freePort()}`,
    })
  const cluster = members.map(({ name, peer }) => `${name}=${peer}`).join(',')
  const addresses = new Map<Daemon, string>()
  for (const { name, client, peer } of members) {
    const folder = place.own(`etcd-${name}`)
    const settings = kitSettings('etcd.env', {
      ...{ ETCD_NAME: name, ETCD_DATA_DIR: join(folder, 'data'), ETCD_INITIAL_CLUSTER: cluster },
      ...{ ETCD_LISTEN_CLIENT_URLS: client, ETCD_ADVERTISE_CLIENT_URLS: client },
      ...{ ETCD_LISTEN_PEER_URLS: peer, ETCD_INITIAL_ADVERTISE_PEER_URLS: peer },
    })
    addresses.set(place.daemon(`etcd-${name}`, programs.etcd, [], settings), client)
  }
  const start = (member: Daemon): Promise<void> =>
    member.start(async () => (await ask(`${addresses.get(member)}/health`)).ok)
  await Promise.all([...addresses.keys()].map(start))
  return {
    hosts: [...addresses.values()].map((url) => new URL(url).host).join(','),
    leader: async () => {
      for (;;) {
        for (const [member, url] of addresses) {
          const said = await ask(`${url}/v3/maintenance/status`, { method: 'POST', body: '{}' })
            .then((answer) => answer.json() as Promise<Status>)
            .catch(() => undefined)
          if (said?.leader !== undefined && said.leader === said.header.member_id) return member
        }
        await wait(200)
      }
    },
    start,
  }
}

/** Source: etcd 3.4, rpc.proto, StatusResponse. */
type Status = { header: { member_id: string }; leader?: string }

const ask = (url: string, how: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...how, signal: AbortSignal.timeout(2_000) })
