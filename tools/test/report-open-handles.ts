// Preloaded by every test file: on SIGUSR2, sent when a file does not end, prints what keeps its process alive.
process.on('SIGUSR2', () => {
  const resources = Map.groupBy(process.getActiveResourcesInfo(), (name) => name)
  const counted = [...resources].map(([name, all]) => `${all.length} ${name}`)
  process.stderr.write(`Still open in this process: ${counted.join(', ') || 'nothing'}.\n`)
})
