import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { printable } from './cli-report.ts'
import { exportAnchors } from './export-anchors.ts'
import { anchorFileText } from './file-ledger.ts'

const USAGE = `Usage: npm run -s anchors:export -- FILE --rpc URL --contract 0x… [--from-block N]

Copies every anchor of the ledger to FILE, for box:verify --anchors FILE without a network.`

/** How long to wait for a node that answers 429. */
const WAIT_MS = 120_000

async function main(args: string[]): Promise<0 | 2> {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { rpc: { type: 'string' }, contract: { type: 'string' }, 'from-block': { type: 'string' } },
      allowPositionals: true,
    })
    const [file] = positionals
    const { rpc, contract, 'from-block': from = '0' } = values
    const valid =
      /^0x[0-9a-fA-F]{40}$/.test(contract ?? '') && /^\d{1,15}$/.test(from) && positionals.length === 1
    if (file === undefined || rpc === undefined || contract === undefined || !valid) throw new Error(USAGE)
    const options = { contract, fromBlock: Number(from), waitMs: WAIT_MS }
    const anchors = await exportAnchors(rpc, fetch, options)
    await writeFile(resolve(process.env.INIT_CWD ?? '.', file), anchorFileText(anchors))
    process.stdout.write(`${anchors.count} anchors written to ${file}\n`)
    return 0
  } catch (cause) {
    const lines = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    process.stderr.write(`${lines.map(printable).join('\n')}\n`)
    return 2
  }
}

process.exitCode = await main(process.argv.slice(2))
