/** The studio as one static folder. It is built from the sources of the packages beside it, so that no other build comes first. */
import { svelte } from "@sveltejs/vite-plugin-svelte"
import { defineConfig } from "vite"

const conditions = ["source", "browser", "module"]

export default defineConfig({
  // any folder of any host: every address is relative
  base: "./",
  plugins: [svelte({ configFile: false })],
  resolve: { conditions },
  worker: { format: "es" },
  build: {
    target: "es2022",
    // workers, samples and fonts stay files: data: addresses are refused by the page's policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
})
