/* global importScripts, load, rulerunAsk */
const server = fetch('language.wasm.gz') // it comes while the scripts do
importScripts('module-worker.js')
self.rulerunAnswer = said => postMessage({ said })
load(server, text => rulerunAsk(text))
