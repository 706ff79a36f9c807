// Package fifo owns the queue of steps of one region. It may not talk to the engine.
package fifo

import (
	"os"
	"path/filepath"
)

// Step is the part of a decision that concerns one region.
type Step struct {
	Position uint64
	Barrier  bool
	Body     []byte
}

// Queue is the steps of one region on disk, in the order of their positions.
type Queue struct {
	Region string
	path   string
	steps  []Step
}

// Open makes the queue of a region from its file, which it creates when it is missing.
func Open(state, region string) (*Queue, error) {
	path := filepath.Join(state, region, "steps.log")
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	return &Queue{Region: region, path: path}, nil
}

// Head is the step to be executed next; false when the queue is empty.
func (q *Queue) Head() (Step, bool) {
	if len(q.steps) == 0 {
		return Step{}, false
	}
	return q.steps[0], true
}

// Confirmed removes every step up to a position. It never brings one back.
func (q *Queue) Confirmed(position uint64) {
	for len(q.steps) > 0 && q.steps[0].Position <= position {
		q.steps = q.steps[1:]
	}
}
