import { connect, createServer } from 'node:net'

/**
 * `link.ts PORT TO`: passes connections on 127.0.0.1 on, as a network does. Stopped where it is (SIGSTOP), it is a network
 * that is cut: what is sent arrives when it goes on, and nobody is told.
 */
const [port = '', to = ''] = process.argv.slice(2)
createServer({ noDelay: true }, (near) => {
  const far = connect({ port: Number(to), host: '127.0.0.1', noDelay: true })
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => undefined)
    one.on('close', () => other.destroy())
    one.pipe(other)
  }
}).listen(Number(port), '127.0.0.1')
