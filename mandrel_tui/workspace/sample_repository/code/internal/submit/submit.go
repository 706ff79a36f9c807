// Package submit owns the one step in flight of a region. It may not read beyond the queue's head.
package submit

import (
	"context"
	"time"

	"example.org/ledger-sync/internal/fifo"
)

// Result is what is known about a step that was sent.
type Result int

// There is no fourth result.
const (
	Unknown Result = iota
	Confirmed
	Refused
)

// Wait is how long a confirmation may take: three times the slowest flush ever seen.
const Wait = 30 * time.Second

// Loop works the queue of one region off, step by step, until its context ends.
func Loop(ctx context.Context, queue *fifo.Queue) {
	for ctx.Err() == nil {
		if _, more := queue.Head(); !more {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}
