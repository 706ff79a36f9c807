// Package stall notices that a region stopped confirming. It may not act, only report.
package stall

import "time"

// Cause is the nearest thing to the engine that explains the silence.
type Cause string

const (
	NoConnection   Cause = "no connection"
	NoConfirmation Cause = "no confirmation"
	WaitsAtBarrier Cause = "waits at barrier"
	UnreadableHead Cause = "unreadable head"
)

// Stalled tells whether a region with steps has been silent for longer than its limit.
func Stalled(steps int, silent, limit time.Duration) bool {
	return steps > 0 && silent > limit
}
