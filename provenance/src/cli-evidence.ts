import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { printable } from './cli-report.ts'
import { hashOf, textOf } from './digest.ts'
import { requireImprint, tokenIn } from './evidence/ask-stamp.ts'
import { headerFrom } from './evidence/bitcoin-node.ts'
import {
  authorityOf,
  CertificateFault,
  certificatesIn,
  nameOf,
  requireStamping,
} from './evidence/certificates.ts'
import { attestationsIn, type BlockHeader, parseBlocks, parseOts } from './evidence/ots.ts'
import { openTimeStamp, StampFault } from './evidence/time-stamp.ts'
import { FormatError } from './format-error.ts'
import { parseCheckpoint } from './log/checkpoint.ts'
import { parseNote, parseVerifierKey, toBase64, type VerifierKey } from './log/note.ts'
import { parsePolicy } from './log/policy.ts'
import { openCheckpoint } from './log/signed-checkpoint.ts'

const COMMAND = 'npm run -s evidence:check --'
const USAGE = `Usage: ${COMMAND} NOTE [--tsr FILE [--ca FILE]] [--ots FILE [--block FILE | --node URL]]
         [--key KEY | --policy FILE] [--json]

Says since when a checkpoint of a shop's log has existed, by what others stamped. It asks nobody but a node that is named.
NOTE is the signed note of the checkpoint, as it was stamped.
  --tsr FILE     the time stamp of an authority (RFC 3161): an answer to a request, or the token in it
  --ca FILE      certificates in PEM of authorities that you believe
  --ots FILE     a proof of OpenTimestamps
  --block FILE   headers of Bitcoin blocks that you believe: lines of a height and 160 hex characters
  --node URL     a Bitcoin node that you believe, by its REST interface, or an Esplora server
  --key KEY      the log's key, as somebody else than the shop told it; without it the log's signature is not checked
  --policy FILE  the same, by a policy in the format tlog-policy
  --json         print the findings as JSON
Exit status: 0 all of it holds, by those whom you named; 1 something does not hold; 2 something could not be read or asked;
3 what was looked at holds, and something was not: nobody was named who vouches for it, or it is pending.`

const MAX_FILE = 1_048_576

class UsageError extends Error {}

/** What was found out about one file. */
interface Finding {
  readonly of: 'checkpoint' | 'time stamp' | 'OpenTimestamps'
  readonly state: 'holds' | 'fails' | 'open'
  readonly words: string[]
  /** Since when, in UTC. */
  readonly time?: string
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function main(args: string[]): Promise<number> {
  try {
    const { note, json, ...options } = optionsOf(args)
    const bytes = await readBytes(note)
    const findings = [await ofCheckpoint(bytes, await knownKey(bytes, options))]
    if (options.tsr !== undefined) findings.push(await ofTimeStamp(bytes, options.tsr, options.ca))
    if (options.ots !== undefined) findings.push(...(await ofOts(bytes, options.ots, options)))
    const lines = findings.flatMap(({ of, state, words: [first = '', ...more] }) => [
      `${of === 'checkpoint' ? 'Checkpoint' : of === 'time stamp' ? 'Time stamp' : of}: ${state === 'fails' ? 'does not hold. ' : ''}${first}`,
      ...more.map((line) => `  ${line}`),
    ])
    process.stdout.write(
      json ? `${JSON.stringify(findings, null, 2)}\n` : `${lines.map(printable).join('\n')}\n`,
    )
    const states = findings.map(({ state }) => state)
    return states.includes('fails') ? 1 : states.includes('open') ? 3 : 0
  } catch (cause) {
    process.stderr.write(`${printable(wordsOf(cause))}\n${cause instanceof UsageError ? `\n${USAGE}\n` : ''}`)
    return 2
  }
}

function optionsOf(args: string[]) {
  const text = { type: 'string' } as const
  const names = { tsr: text, ca: text, ots: text, block: text, node: text, key: text, policy: text }
  try {
    const options = { ...names, json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [note, ...more] = positionals
    if (note === undefined || more.length > 0) throw new Error('Name one file with a signed checkpoint.')
    if (values.tsr === undefined && values.ots === undefined) throw new Error('Name --tsr, --ots or both.')
    if (values.ca !== undefined && values.tsr === undefined) throw new Error('--ca is about a --tsr.')
    if ((values.block ?? values.node) !== undefined && values.ots === undefined)
      throw new Error('--block and --node are about an --ots.')
    if (values.block !== undefined && values.node !== undefined)
      throw new Error('Give --block or --node, not both.')
    if (values.key !== undefined && values.policy !== undefined)
      throw new Error('Give --key or --policy, not both.')
    if (values.node !== undefined && !/^https?:\/\/\S+$/.test(values.node))
      throw new Error('--node must be an http or https address.')
    return { note, ...values, json: values.json ?? false }
  } catch (cause) {
    throw new UsageError(wordsOf(cause))
  }
}

type Options = Omit<ReturnType<typeof optionsOf>, 'note' | 'json'>

/** npm runs scripts in the project's folder and names the caller's own in INIT_CWD. */
async function readBytes(file: string): Promise<Uint8Array> {
  const path = resolve(process.env.INIT_CWD ?? '.', file)
  if (!existsSync(path)) throw new UsageError(`There is no file ${file}.`)
  const bytes = await readFile(path)
  if (bytes.length > MAX_FILE) throw new Error(`${file} is over ${MAX_FILE} bytes.`)
  return new Uint8Array(bytes)
}

/** What somebody makes of a file, or which file could not be read and why. */
async function readAs<T>(file: string, read: (bytes: Uint8Array) => T): Promise<T> {
  const bytes = await readBytes(file)
  try {
    return read(bytes)
  } catch (cause) {
    if (cause instanceof FormatError) throw new Error(`${file} could not be read: ${cause.message}.`)
    throw cause
  }
}

async function knownKey(bytes: Uint8Array, { key, policy }: Options): Promise<VerifierKey | null> {
  if (key !== undefined) return parseVerifierKey(key)
  if (policy === undefined) return null
  const { origin } = checkpointIn(bytes)
  const found = (await readAs(policy, parsePolicy)).logs.find((log) => log.key.name === origin)
  if (found === undefined) throw new Error(`${policy} names no log ${origin}.`)
  return found.key
}

function checkpointIn(bytes: Uint8Array) {
  try {
    return parseCheckpoint(parseNote(textOf(bytes)).text)
  } catch (cause) {
    throw new Error(`The note is no signed checkpoint of a log: ${wordsOf(cause)}.`)
  }
}

async function ofCheckpoint(bytes: Uint8Array, key: VerifierKey | null): Promise<Finding> {
  const { origin, size, root } = checkpointIn(bytes)
  const said = `${origin} with ${size} entries, root ${toBase64(root)}.`
  const of = 'checkpoint'
  if (key === null)
    return {
      of,
      state: 'holds',
      words: [said, 'Its signature was not checked: name the log’s key with --key.'],
    }
  try {
    await openCheckpoint(textOf(bytes), [key], [])
    return { of, state: 'holds', words: [said, 'Signed by the key that you named.'] }
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    return { of, state: 'fails', words: ['It is not signed by the key that you named.', said] }
  }
}

const timeText = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z')

/** An answer begins with its status, which is a list; a token with what it is. */
const tokenOf = (bytes: Uint8Array): Uint8Array => {
  try {
    return tokenIn(bytes)
  } catch (cause) {
    if (cause instanceof FormatError && cause.path.startsWith('$.status')) return bytes
    throw cause
  }
}

async function ofTimeStamp(bytes: Uint8Array, tsr: string, ca: string | undefined): Promise<Finding> {
  const trusted =
    ca === undefined ? null : await readAs(ca, (pem) => certificatesIn(Buffer.from(pem).toString()))
  try {
    const stamp = await readAs(tsr, (file) => openTimeStamp(tokenOf(file)))
    requireImprint(stamp, bytes)
    requireStamping(stamp.signer, stamp.timeMs)
    const time = timeText(stamp.timeMs)
    const within = stamp.accuracyMs === null ? '' : `, give or take ${stamp.accuracyMs / 1000} s`
    const words = [
      `by ${nameOf(stamp.signer)} at ${time}${within}, number ${stamp.serial}.`,
      'So these bytes, and all that the log held with that many entries, existed then.',
    ]
    const found = { of: 'time stamp', time } as const
    if (trusted === null)
      return {
        ...found,
        state: 'open',
        words: [...words, 'Who that is nobody vouches for: name authorities that you believe with --ca.'],
      }
    const authority = authorityOf(stamp.signer, stamp.others, trusted, stamp.timeMs)
    return {
      ...found,
      state: 'holds',
      words: [...words, `Vouched for by ${nameOf(authority)}, which you named.`],
    }
  } catch (cause) {
    if (!(cause instanceof StampFault || cause instanceof CertificateFault)) throw cause
    return { of: 'time stamp', state: 'fails', words: [cause.message] }
  }
}

async function ofOts(bytes: Uint8Array, ots: string, { block, node }: Options): Promise<Finding[]> {
  const of = 'OpenTimestamps'
  const proof = await readAs(ots, parseOts)
  if (Buffer.compare(proof.message, hashOf(bytes)) !== 0)
    return [{ of, state: 'fails', words: ['It is of other bytes: its hash is not theirs.'] }]
  const blocks = block === undefined ? undefined : await readAs(block, parseBlocks)
  const all = attestationsIn(proof)
  const findings: Finding[] = []
  for (const { message, attestation } of all)
    if (attestation.kind === 'bitcoin') {
      const { height } = attestation
      const header = node === undefined ? blocks?.get(height) : await headerFrom(node, height)
      findings.push({ of, ...ofBlock(height, message, header) })
    }
  if (findings.length > 0) return findings
  const pending = all.flatMap(({ attestation }) => (attestation.kind === 'pending' ? [attestation.uri] : []))
  if (pending.length === 0) throw new Error(`${ots} is attested by nobody that is known here.`)
  return [
    {
      of,
      state: 'open',
      words: [
        `pending at ${pending.join(', ')}.`,
        'It proves nothing yet. Fetch the proof again from the shop after a day: by then a Bitcoin block attests it.',
      ],
    },
  ]
}

function ofBlock(height: number, root: Uint8Array, header: BlockHeader | undefined): Omit<Finding, 'of'> {
  const shown = Buffer.from(root).reverse().toString('hex')
  if (header === undefined)
    return {
      state: 'open',
      words: [
        `attested by Bitcoin block ${height}, which was not looked at.`,
        `It holds where the Merkle root of that block is ${shown}: name the block with --block, or a node with --node.`,
      ],
    }
  if (Buffer.compare(header.merkleRoot, root) !== 0)
    return {
      state: 'fails',
      words: [`Bitcoin block ${height} (${header.hash}) has another Merkle root than ${shown}.`],
    }
  const time = timeText(header.timeS * 1000)
  return {
    state: 'holds',
    time,
    words: [
      `attested by Bitcoin block ${height} of ${time} (${header.hash}).`,
      'So these bytes existed before that block. Its time is that of who made it, and may be two hours off.',
    ],
  }
}

process.exitCode = await main(process.argv.slice(2))
