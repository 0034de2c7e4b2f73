//go:build !linux

package main

// largePages does nothing: only Linux gives them to who asks.
func largePages() {}
