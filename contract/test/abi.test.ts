import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { toFunctionSignature } from 'viem'
import { ledgerAbi, ledgerBytecode } from '../abi.ts'
import { abiSource, compileLedger } from '../scripts/compile-ledger.ts'

test('abi.ts is what the contract compiles to', async () => {
  const committed = await readFile(new URL('../abi.ts', import.meta.url), 'utf8')
  assert.equal(committed, abiSource(await compileLedger()), 'run: npm run abi -w contract')
})

test('the ABI is the one in the protocol', () => {
  const signatures = ledgerAbi.flatMap((entry) =>
    entry.type === 'function' ? [toFunctionSignature(entry)] : [],
  )
  for (const wanted of ['anchor(uint64,bytes32,uint32,uint32)', 'anchorOf(uint64)', 'count()'])
    assert.ok(signatures.includes(wanted), wanted)
})

test('the code runs on networks without PUSH0, which paris does not have', () => {
  assert.ok(!opcodes(ledgerBytecode).includes(0x5f))
})

/** Opcodes of code, without the data of PUSH instructions and the metadata at its end. */
function opcodes(hex: string): number[] {
  const code = Buffer.from(hex.slice(2), 'hex')
  const metadataBytes = code.readUInt16BE(code.length - 2) + 2
  const found: number[] = []
  for (let at = 0; at < code.length - metadataBytes; at++) {
    const opcode = code[at] ?? 0
    found.push(opcode)
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
  }
  return found
}
