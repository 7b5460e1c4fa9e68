/** How much of an upload has left, from 0 to 1. */
export const UploadProgress = ({ progress }: { progress: number }) => (
  <label className="flex items-center gap-3 text-slate">
    Sending pictures
    <progress className="h-3 w-40 accent-teal" value={progress} max={1} />
    <span>{Math.round(progress * 100)}%</span>
  </label>
)
