/** `npm run bench:spark -- cost | driver | rounds`: the figures of bench/spark.md. */
const [part = ""] = process.argv.slice(2)
if (part === "cost") await (await import("./cost.ts")).cost()
else if (part === "driver") await (await import("./driver.ts")).driver()
else if (part === "rounds") await (await import("./rounds.ts")).rounds()
else console.error("Which part? npm run bench:spark -- cost, driver or rounds.")
