// Imports the test files that it is called with, so that their tests run in this one process. Without `--test`, which the
// programs that they fork would inherit.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href)
