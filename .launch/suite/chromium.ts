import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const installed = (): string | undefined =>
  [process.env.CHROMIUM ?? '', ...places].find((place) => existsSync(place))

/**
 * Path of a Chromium for the browser tests: `CHROMIUM`, the system's, or Debian's installed now.
 * @returns `why`, a sentence, where none can be had
 */
export async function findChromium(): Promise<{ path: string } | { why: string }> {
  const there = installed()
  if (there !== undefined) return { path: there }
  const why = await installDebianPackage('chromium')
  const path = installed()
  return path === undefined ? { why: why ?? 'Chromium is not where Debian puts it.' } : { path }
}
