import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian.ts'

const places = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/usr/bin/mosquitto']
const installed = (): string | undefined =>
  [process.env.MOSQUITTO ?? '', ...places].find((place) => existsSync(place))

/**
 * Path of a Mosquitto, a real MQTT broker, for the tests: `MOSQUITTO`, the system's, or Debian's installed now.
 * @returns `why`, a sentence, where none can be had
 */
export async function findMosquitto(): Promise<{ path: string } | { why: string }> {
  const there = installed()
  if (there !== undefined) return { path: there }
  const why = await installDebianPackage('mosquitto')
  const path = installed()
  return path === undefined ? { why: why ?? 'Mosquitto is not where Debian puts it.' } : { path }
}
