import { writeFile } from 'node:fs/promises'
import { abiSource, compileLedger } from './compile-ledger.ts'

await writeFile(new URL('../abi.ts', import.meta.url), abiSource(await compileLedger()))
