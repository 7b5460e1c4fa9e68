import { runMain } from './run-main.ts'
import { startWebProcess } from './start-process.ts'

/** The web process. What no setting moves elsewhere runs in it: database, chain, MQTT broker, jobs. */
runMain(startWebProcess, (config) => `BeFAQT is ready: ${config.PUBLIC_URL}`)
