import crypto from 'node:crypto'
import fs, { type FileHandle, open } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'

/*
 * Loaded before a program (`node --import`), it ends it without a word at one step of all that it does to its files, of
 * its signing and of its answers: the one that KILL_AT numbers. Every such call is two steps, before it and after it.
 */

const killAt = Number(process.env.KILL_AT)
let done = 0
function step(): void {
  done += 1
  if (done === killAt) process.kill(process.pid, 'SIGKILL')
}

type Call = (this: unknown, ...args: unknown[]) => unknown

/** Has each call of a function be two steps. */
function count(of: object, name: string): void {
  const call: Call = Reflect.get(of, name)
  const counted: Call = function (...args) {
    step()
    const result = Reflect.apply(call, this, args)
    if (!(result instanceof Promise)) {
      step()
      return result
    }
    return result.then((value: unknown) => {
      step()
      return value
    })
  }
  Reflect.set(of, name, counted)
}

const some: FileHandle = await open(process.execPath)
count(Object.getPrototypeOf(some), 'sync')
count(Object.getPrototypeOf(some), 'writeFile')
await some.close()
for (const name of ['open', 'rename']) count(fs, name)
count(crypto, 'sign')
count(DatabaseSync.prototype, 'exec')
count(StatementSync.prototype, 'run')
count(ServerResponse.prototype, 'end')
syncBuiltinESMExports()
