import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { pathOf } from './cli-files.ts'
import { printable } from './cli-report.ts'
import { hashOf, hexOf } from './digest.ts'
import { FormatError } from './format-error.ts'
import { ask } from './log/ask.ts'
import { BUILDS, readBuilds } from './log/builds.ts'
import { checkReceipt, type ReceiptResult, readToday } from './log/check-receipt.ts'
import { parseCheckpoint } from './log/checkpoint.ts'
import { parseNote, parseVerifierKey, toBase64, type VerifierKey } from './log/note.ts'
import { parsePolicy } from './log/policy.ts'
import { findReceipt, type Receipt } from './log/receipt.ts'
import { noReceiptWords, receiptWords } from './log/receipt-words.ts'
import { openCheckpoint } from './log/signed-checkpoint.ts'
import { type GetPath, logTiles } from './log/tiles.ts'
import { blockTimeText } from './validate.ts'

const COMMAND = 'npm run -s receipt:check --'
const USAGE = `Usage: ${COMMAND} RECEIPT [--log URL] [--key KEY | --policy FILE] [--json]
       ${COMMAND} --checker FILE|SHA-256 --log URL [--key KEY | --policy FILE] [--json]

Checks whether the log that a shop shows today still holds what a receipt of it promised.
RECEIPT is the line that begins with befaqt1, or a file that holds it, or the signed text of its code; - reads it from
the standard input. With --checker it says whether a check.html is one that the shop has told everybody of.
  --checker      a check.html, or the SHA-256 of one, which is looked for in the shop's log of builds
  --log URL      where the log is read; without it, at the address that is its name, by https. With --checker, the
                 address of the shop or of its log of builds
  --key KEY      the log's key, as somebody else than the shop told it; without it, the one that the shop names
  --policy FILE  the same, by a policy in the format tlog-policy
  --json         print the finding as JSON
Exit status: 0 it holds all of it, or that checker; 1 it does not, or shows less; 2 could not be checked, or is no receipt
of this log.`

/** Milliseconds for each file of the log. */
const TIMEOUT_MS = 10_000

class UsageError extends Error {}

async function main(args: string[]): Promise<0 | 1 | 2> {
  try {
    const options = optionsOf(args)
    const { given, log, key, policy, json, checker } = options
    if (checker !== undefined) return await lookForChecker({ ...options, checker })
    const receipt = await readReceipt(given)
    const address = (log ?? `https://${receipt.checkpoint.origin}`).replace(/\/{1,20}$/, '')
    const known = await knownKey(receipt.checkpoint.origin, key, policy)
    const today = await readToday(pathsAt(address), known)
    if (today === undefined) throw new Error(`${address} shows no log.`)
    const result = await checkReceipt(receipt, today)
    process.stdout.write(`${printed(result, { address, isOwn: known === null, json })}\n`)
    return statusOf(result)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    process.stderr.write(`${printable(message)}\n${cause instanceof UsageError ? `\n${USAGE}\n` : ''}`)
    return 2
  }
}

const statuses: Readonly<Record<ReceiptResult['state'], 0 | 1 | 2>> = {
  fits: 0,
  ahead: 1,
  differs: 1,
  unsigned: 1,
  mistyped: 2,
  changed: 2,
  other_log: 2,
  not_shown: 2,
}
const statusOf = ({ state }: ReceiptResult): 0 | 1 | 2 => statuses[state]

function optionsOf(args: string[]) {
  const text = { type: 'string' } as const
  const options = { log: text, key: text, policy: text, checker: text, json: { type: 'boolean' } } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.checker !== undefined && (positionals.length > 0 || values.log === undefined))
      throw new Error('With --checker name the shop by --log, and no receipt.')
    if (positionals.length === 0 && values.checker === undefined) throw new Error('Name a receipt.')
    if (values.key !== undefined && values.policy !== undefined)
      throw new Error('Give --key or --policy, not both.')
    if (values.log !== undefined && !/^https?:\/\/\S+$/.test(values.log))
      throw new Error('--log must be an http or https address.')
    return { given: positionals, ...values, json: values.json ?? false }
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'The arguments could not be read.')
  }
}

/** A line whose words came as arguments of their own, a file, or what is sent to the command. */
async function readReceipt(given: readonly string[]): Promise<Receipt> {
  const [first = ''] = given
  const isLine = first.startsWith('befaqt1')
  if (!isLine && given.length > 1) throw new UsageError('Name one file, or the line in quotes.')
  if (!isLine && first !== '-' && !existsSync(pathOf(first)))
    throw new UsageError(`There is no file ${first}, and it is no line that begins with befaqt1.`)
  const text = isLine ? given.join(' ') : await readFile(first === '-' ? '/dev/stdin' : pathOf(first), 'utf8')
  try {
    return findReceipt(text)
  } catch (cause) {
    if (cause instanceof FormatError) throw new Error(noReceiptWords(cause))
    throw cause
  }
}

const pathsAt =
  (address: string): GetPath =>
  async (path, maxBytes) => {
    const { status, body } = await ask(`${address}/${path}`, { maxBytes, timeoutMs: TIMEOUT_MS }).catch(
      () => {
        throw new Error(`${address}/${path} could not be read.`)
      },
    )
    if (status === 404 || status === 204) return undefined
    if (status !== 200) throw new Error(`${address}/${path} answered with ${status}.`)
    return body
  }

/** The log's key as the caller knows it; null: he named none. */
async function knownKey(
  origin: string,
  key: string | undefined,
  policy: string | undefined,
): Promise<VerifierKey | null> {
  if (key !== undefined) return parseVerifierKey(key)
  if (policy === undefined) return null
  const found = parsePolicy(await readFile(pathOf(policy))).logs.find((log) => log.key.name === origin)
  if (found === undefined) throw new Error(`${policy} names no log ${origin}.`)
  return found.key
}

const LOG_PATH = '/befaqt/log'

/** Whether a checker is in the log of builds of a shop. */
async function lookForChecker(of: ReturnType<typeof optionsOf> & { checker: string }): Promise<0 | 1 | 2> {
  const hash = await hashOfChecker(of.checker)
  const named = (of.log ?? '').replace(/\/{1,20}$/, '')
  const address = new URL(named).pathname === '/' ? named + LOG_PATH + BUILDS : named
  const get = pathsAt(address)
  const first = await readToday(get, null)
  if (first === undefined) throw new Error(`${address} shows no log.`)
  const { origin } = parseCheckpoint(parseNote(first.note).text)
  const known = await knownKey(origin, of.key, of.policy)
  const key = known ?? first.key
  if (key === null) throw new Error(`${address} names no key: name it with --key or --policy.`)
  const opened = await openCheckpoint(first.note, [key], [])
  const builds = await readBuilds(opened, logTiles(opened.checkpoint.size, get))
  const index = builds.findIndex((entry) => entry.kind === 'checker' && entry.hash === hash)
  const { size } = opened.checkpoint
  const version = builds[index]?.version
  const words =
    index < 0
      ? [
          `Not in the log: ${hash}.`,
          '  The shop has told nobody of this checker. Don’t rely on what it says: use one from somebody else, or build it.',
        ]
      : [
          `In the log: ${hash}.`,
          `  It is entry ${index} of ${size}, of version ${version}. Whoever follows the log was shown it too.`,
        ]
  const found = { checker: hash, isInLog: index >= 0, index: index < 0 ? null : index, version, origin, size }
  process.stdout.write(
    of.json
      ? `${JSON.stringify(found, null, 2)}\n`
      : `${[...words, `Log: ${origin}, read from ${address}`, ...keyWords(known === null)].map(printable).join('\n')}\n`,
  )
  return index < 0 ? 1 : 0
}

async function hashOfChecker(given: string): Promise<string> {
  if (/^[0-9a-fA-F]{64}$/.test(given)) return given.toLowerCase()
  if (!existsSync(pathOf(given))) throw new UsageError(`There is no file ${given}, and it is no SHA-256.`)
  return hexOf(hashOf(await readFile(pathOf(given))))
}

const keyWords = (isOwn: boolean): string[] =>
  isOwn ? ['  Its key is the one that the shop names: name another with --key or --policy.'] : []

type Told = { address: string; isOwn: boolean; json: boolean }

function printed(result: ReceiptResult, { address, isOwn, json }: Told): string {
  const when = (seconds: number): string => blockTimeText(seconds)
  const words = receiptWords(result, when)
  if (json) {
    const shown = ({ origin, size, root }: ReceiptResult['today']) => ({ origin, size, root: toBase64(root) })
    const { receipt, today, meant, upTo, newest, ...rest } = result
    const time = (seconds: number | null) => (seconds === null ? null : when(seconds))
    return JSON.stringify(
      {
        ...rest,
        words,
        receipt: { ...shown(receipt), time: time(upTo) },
        today: { ...shown(today), time: time(newest) },
        meant: meant && shown(meant),
      },
      null,
      2,
    )
  }
  return [
    `${words.title}.`,
    `  ${words.message}`,
    ...(words.todo === null ? [] : [`  ${words.todo}`]),
    `Log: ${result.today.origin}, read from ${address}`,
    ...keyWords(isOwn),
  ]
    .map(printable)
    .join('\n')
}

process.exitCode = await main(process.argv.slice(2))
