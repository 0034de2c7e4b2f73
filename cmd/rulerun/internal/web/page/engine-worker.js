/* global importScripts, load, rulerunServe */
importScripts('module-worker.js')
load('engine.wasm.gz', text => postMessage({ answer: rulerunServe(text) }))
