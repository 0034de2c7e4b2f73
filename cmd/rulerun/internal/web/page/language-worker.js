/* global importScripts, load, rulerunAsk */
importScripts('module-worker.js')
self.rulerunAnswer = said => postMessage({ said })
load('language.wasm.gz', text => rulerunAsk(text))
