import { existsSync } from 'node:fs'
import { fromRoot } from '../script.mjs'
import { installDebianPackage, takeFromDebianPackage } from './debian.ts'

/** A program that tests need. */
export type Program = {
  name: string
  /** Its Debian package. */
  package: string
  /** The environment variable with its path. */
  setting: string
  /** Usual paths. */
  places: readonly string[]
  /** Where it is put by itself, out of its package, which is not installed. */
  alone?: string
}

/**
 * For the browser tests: the browser that people have, where it is installed. The headless shell, which is Chromium without
 * the window around a page, is installed where neither is: a start and six pages took 0.9 s of processor time in it, 5.7 in
 * the full one. But it behaves differently: it asks for no icons, and paints earlier than what visitors see.
 */
export const chromium: Program = {
  name: 'Chromium',
  package: 'chromium-headless-shell',
  setting: 'CHROMIUM',
  places: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/chromium-headless-shell',
  ],
}

/** A real MQTT broker. */
export const mosquitto: Program = {
  name: 'Mosquitto',
  package: 'mosquitto',
  setting: 'MOSQUITTO',
  places: ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/usr/bin/mosquitto'],
}

/** A connection pooler for PostgreSQL. */
export const pgbouncer: Program = {
  name: 'PgBouncer',
  package: 'pgbouncer',
  setting: 'PGBOUNCER',
  places: ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/usr/bin/pgbouncer'],
}

const reader = (name: string, debian: string, setting: string): Program => ({
  name,
  package: debian,
  setting,
  places: [`/usr/bin/${name}`, `/usr/local/bin/${name}`],
})

/** Programs of others that read the codes on labels, and one that knows the rules of GS1. */
export const labelReaders: readonly Program[] = [
  reader('zint', 'zint', 'ZINT'),
  reader('zbarimg', 'zbar-tools', 'ZBARIMG'),
  reader('ZXingReader', 'zxing-cpp-tools', 'ZXING_READER'),
]

/** One file each, taken out of its package. */
const single = (name: string, debian: string, setting: string): Program => {
  const alone = fromRoot('.runtime', 'programs', name)
  return {
    name,
    package: debian,
    setting,
    places: [`/usr/bin/${name}`, `/usr/local/bin/${name}`, alone],
    alone,
  }
}

/** What reads the files of `deploy/`: the proxy itself, and Prometheus' check of rules with their tests. */
export const deployTools: readonly Program[] = [
  single('caddy', 'caddy', 'CADDY'),
  single('promtool', 'prometheus', 'PROMTOOL'),
]

/**
 * Path of a program: from its environment variable, the system's, or a Debian package installed now.
 * @returns `why`, a sentence, when none is available
 */
export async function findProgram(program: Program): Promise<{ path: string } | { why: string }> {
  const there = installed(program)
  if (there !== undefined) return { path: there }
  const why =
    program.alone === undefined
      ? await installDebianPackage(program.package)
      : await takeFromDebianPackage(program.package, `usr/bin/${program.name}`, program.alone)
  const path = installed(program)
  return path === undefined ? { why: why ?? `${program.name} is not where Debian puts it.` } : { path }
}

const installed = ({ setting, places }: Program): string | undefined =>
  [process.env[setting] ?? '', ...places].find((place) => existsSync(place))
