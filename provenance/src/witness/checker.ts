import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { textOf } from '../digest.ts'
import { keyTypes, type VerifierKey, verifierKeyText } from '../log/note.ts'
import { parsePolicy } from '../log/policy.ts'
import { SettingError, type WitnessSettings } from './settings.ts'

/*
 * The checker that a witness serves, `check.html`, with its own policy beside it: so a visitor needs nothing of the shop's
 * to check a box. Source: witness.md, A checker that isn't ours.
 */

/** Something that is served as it is. */
export interface Page {
  readonly body: Uint8Array
  readonly type: string
  /** Policy of what a browser may do with it. */
  readonly policy?: string
}

/** Larger files are no checker. */
const MAX_CHECKER = 2 * 1024 * 1024
const META = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/
/** Builds of the pages in a copy of the source code. */
const BUILDS = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** What is served by its path. @throws SettingError where a file that is named can't be used */
export function checkerPages(
  settings: Pick<WitnessSettings, 'name' | 'log' | 'checker' | 'policy'>,
  keys: readonly VerifierKey[],
): ReadonlyMap<string, Page> {
  const { name, log, checker = builtChecker(), policy } = settings
  const own = policy === undefined ? utf8(policyOfOne(name, log, keys)) : readPolicy(policy)
  const pages = new Map<string, Page>([
    ['/check-policy.txt', { body: own, type: 'text/plain; charset=utf-8' }],
  ])
  return checker === undefined ? pages : pages.set('/check', readChecker(checker))
}

/** In a copy of the source code with a build: that one's. Undefined: there is none, and no checker is served. */
function builtChecker(): string | undefined {
  const newest = join(BUILDS, 'newest')
  const file = existsSync(newest)
    ? join(BUILDS, readFileSync(newest, 'utf8').trim(), 'client/check.html')
    : ''
  return existsSync(file) ? file : undefined
}

function readChecker(file: string): Page {
  const body = readNamed('WITNESS_CHECKER', file, MAX_CHECKER)
  const [, policy] = META.exec(textOf(body)) ?? []
  if (policy === undefined) throw new SettingError('WITNESS_CHECKER must be a check.html, with its policy.')
  return { body, type: 'text/html; charset=utf-8', policy: `${policy}; frame-ancestors 'none'` }
}

function readPolicy(file: string): Uint8Array {
  const body = readNamed('WITNESS_POLICY', file, MAX_CHECKER)
  try {
    parsePolicy(body)
  } catch (error) {
    throw new SettingError(`WITNESS_POLICY is no policy: ${error instanceof Error ? error.message : ''}`)
  }
  return body
}

function readNamed(name: string, file: string, most: number): Uint8Array {
  try {
    if (statSync(file).size <= most) return readFileSync(file)
  } catch {
    // said below
  }
  throw new SettingError(`${name} must be a file that can be read, of ${most} bytes at most.`)
}

/** The policy of who believes this witness alone: any of its keys counts. */
function policyOfOne(name: string, log: VerifierKey, keys: readonly VerifierKey[]): string {
  const named = keys.map((key) => ({
    as: `${name}-${key.type === keyTypes.mlDsa44Cosigner ? 'ml' : 'ed'}`,
    key,
  }))
  return [
    `log ${verifierKeyText(log)}`,
    ...named.map(({ as, key }) => `witness ${as} ${verifierKeyText(key)}`),
    `group ${name} any ${named.map(({ as }) => as).join(' ')}`,
    // k of n counts the members of the quorum, which is a group of the one.
    `group ${name}-alone all ${name}`,
    `quorum ${name}-alone`,
    '',
  ].join('\n')
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
