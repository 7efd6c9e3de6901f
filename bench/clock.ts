/** Processor time of this process and its threads, in seconds. */
export function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
