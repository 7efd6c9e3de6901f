/** A driver that is killed in the middle of learning: `drive.ts ADDRESS TABLE CHECKPOINT STEPS` ends itself by SIGKILL after so many checkpoints. */
import { writeFileSync } from "node:fs"
import { fit } from "suffice"
import { spark } from "../src/index.ts"
import { climbing, groups } from "./climbing.ts"

const [address, name, path, steps] = process.argv.slice(2)
const cluster = await spark(address)
let written = 0
await fit(groups, (await cluster.table(name)) as never, {
  ...climbing,
  checkpoint: {
    read: () => undefined,
    write(bytes) {
      writeFileSync(path, bytes)
      if (++written === Number(steps)) process.kill(process.pid, "SIGKILL")
    },
  },
})
