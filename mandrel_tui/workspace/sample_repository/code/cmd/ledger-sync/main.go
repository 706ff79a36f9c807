// Command ledger-sync runs the loops of all regions until a signal ends it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"

	"example.org/ledger-sync/internal/cli"
	"example.org/ledger-sync/internal/fifo"
	"example.org/ledger-sync/internal/submit"
)

func main() {
	regions := flag.String("regions", "", "names of the regions, separated by commas")
	state := flag.String("state", "", "folder of the regions' files")
	flag.Parse()
	if *regions == "" || *state == "" {
		fmt.Fprintln(os.Stderr, "ledger-sync: --regions and --state are needed")
		os.Exit(cli.WrongUse)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var running sync.WaitGroup
	for _, region := range strings.Split(*regions, ",") {
		queue, err := fifo.Open(*state, region)
		if err != nil {
			fmt.Fprintf(os.Stderr, "ledger-sync: region %s: %v\n", region, err)
			os.Exit(cli.Unreadable)
		}
		running.Add(1)
		go func() {
			defer running.Done()
			submit.Loop(ctx, queue)
		}()
	}
	running.Wait()
}
