package fifo

// Drained tells whether a drain has ended, and what it waits for when it has not.
func (q *Queue) Drained(open func(Step) bool) (bool, *Step) {
	head, more := q.Head()
	if !more {
		return true, nil
	}
	if head.Barrier && !open(head) {
		return false, &head
	}
	return false, nil
}
