import '../styles/index.css'
import '../zod-without-eval.ts'
import { createRoot } from 'react-dom/client'
import { App, Boundary } from './app.tsx'
import { startSending } from './queue/sender.ts'

const place = document.getElementById('field')
if (place)
  createRoot(place).render(
    <Boundary>
      <App />
    </Boundary>,
  )

startSending()
if ('serviceWorker' in navigator)
  navigator.serviceWorker
    .register('/field-sw.js', { scope: '/field', updateViaCache: 'none' })
    .catch((error: unknown) => console.warn('opens only with coverage', error))
