/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { appIcons } from "./vite-app-icons.ts";
import { fluentIcons } from "./vite-fluent-icons.ts";
import { thirdParty } from "./vite-third-party.ts";

export default defineConfig({
  plugins: [svelte(), fluentIcons(), appIcons(), thirdParty()],
  // The service serves what is built here, from its own origin.
  build: { outDir: "../src/dicetown/server/static", emptyOutDir: true, target: "es2022" },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
    fs: { allow: [".."] }, // tests and gallery read the material's files
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : undefined,
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
