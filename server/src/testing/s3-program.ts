import S3rver from '@20minutes/s3rver'

/** An S3-compatible server for tests: `s3-program.ts FOLDER PORT BUCKET`. Prints its port when it answers. */
const [directory = '', port = '0', bucket = ''] = process.argv.slice(2)
const server = new S3rver({
  directory,
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  configureBuckets: [{ name: bucket }],
})
console.log((await server.run()).port)
process.on('disconnect', () => process.exit(0))
