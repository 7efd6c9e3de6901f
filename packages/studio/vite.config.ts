/** The studio and the documentation as one static folder. It is built from the sources of the packages beside it, so that no other build comes first. */
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { svelte } from "@sveltejs/vite-plugin-svelte"
import { defineConfig } from "vite"
import { docsSite } from "./src/docs/site.ts"

const conditions = ["source", "browser", "module"]

export default defineConfig({
  // any folder of any host: every address is relative
  base: "./",
  plugins: [svelte({ configFile: false }), docsSite(fileURLToPath(new URL(".", import.meta.url)))],
  resolve: {
    conditions,
    alias: [
      // what opens files of a disk is never called in a page: its part that knows values stands for it
      { find: /^suffice-files$/, replacement: "suffice-files/columns" },
      // its other form has no default export, which Node gives to both
      { find: /^stopword$/, replacement: createRequire(import.meta.url).resolve("stopword") },
      // the document without a browser that draws the report, as it is built for workers
      { find: /^linkedom$/, replacement: "linkedom/worker" },
    ],
  },
  // the report draws in the worker, and is loaded when it is asked for
  worker: { format: "es", plugins: () => [] },
  build: {
    target: "es2022",
    // workers, samples and fonts stay files: data: addresses are refused by the page's policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
})
