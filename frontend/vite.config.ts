import { defineConfig } from "vite";

export default defineConfig({
  build: {
    outDir: "../src/tengen/web/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
});
