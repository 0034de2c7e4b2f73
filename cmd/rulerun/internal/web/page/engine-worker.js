/* global importScripts, load, rulerunServe */
const engine = fetch('engine.wasm.gz') // it comes while the scripts do
importScripts('module-worker.js')
load(engine, text => postMessage({ answer: rulerunServe(text) }))
