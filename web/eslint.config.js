import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

// Likely mistakes; how things look is Prettier's, and types are svelte-check's.
export default ts.config(
    { ignores: ["node_modules/", "src/generated/", "../src/"] },
    js.configs.recommended,
    ts.configs.recommended,
    svelte.configs.recommended,
    {
        languageOptions: { globals: { ...globals.browser, ...globals.node } },
        rules: {
            "no-undef": "off", // TypeScript knows what there is
            "svelte/prefer-svelte-reactivity": "off", // a map that nobody watches is a plain one, on purpose
            eqeqeq: "error",
            "no-console": "error",
            "@typescript-eslint/consistent-type-imports": "error",
            "@typescript-eslint/no-unused-vars": [
                "error",
                { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
            ],
        },
    },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    },
);
