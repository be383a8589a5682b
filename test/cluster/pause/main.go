// The first process of a pod, and of the node itself: it does nothing but bury the processes that lost their parents.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, syscall.SIGCHLD, syscall.SIGTERM, syscall.SIGINT)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		bury()
	}
}

func bury() {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if err != nil || pid <= 0 {
			return
		}
	}
}
