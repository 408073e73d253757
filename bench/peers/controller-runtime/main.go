// The same work as bench/runtime/contender.ts, on controller-runtime: hold every Widget in the cache, reconcile each,
// and again whenever its round changes. Prints one JSON line when all have been seen in a round.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var gvk = schema.GroupVersionKind{Group: "bench.tributary.dev", Version: "v1", Kind: "Widget"}

type counter struct {
	mu         sync.Mutex
	seen       map[string]int64
	total      int
	round      int64
	inRound    int
	reconciles int
	done       chan struct{}
}

func (c *counter) note(key string, round int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reconciles++
	before, known := c.seen[key]
	c.seen[key] = round
	if round == c.round && (!known || before != round) {
		c.inRound++
		if c.inRound == c.total {
			close(c.done)
		}
	}
}

func (c *counter) begin(round int64) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.round = round
	c.inRound = 0
	for _, r := range c.seen {
		if r == round {
			c.inRound++
		}
	}
	c.done = make(chan struct{})
	if c.inRound == c.total {
		close(c.done)
	}
	return c.done
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func report(round int64, started time.Time, reconciles int) {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	cpu := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	line, err := json.Marshal(map[string]any{
		"round": round, "wallMs": time.Since(started).Milliseconds(), "cpuMs": cpu.Milliseconds(), "peakRssMb": usage.Maxrss / 1024,
		"reconciles": reconciles,
	})
	must(err)
	fmt.Println(string(line))
}

func main() {
	typed := flag.Bool("typed", false, "hold Go structs instead of unstructured maps")
	total := flag.Int("objects", 50000, "how many Widgets there are")
	first := flag.Int64("round", 0, "the round that the Widgets are in at the start")
	flag.Parse()
	started := time.Now()
	log.SetLogger(logr.Discard())

	scheme := runtime.NewScheme()
	if *typed {
		must(addWidgetToScheme(scheme))
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Client:  client.Options{Cache: &client.CacheOptions{Unstructured: true}},
	})
	must(err)

	counts := &counter{seen: map[string]int64{}, total: *total}
	done := counts.begin(*first)
	newObject := func() client.Object {
		if *typed {
			return &Widget{}
		}
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(gvk)
		return object
	}
	reconcile := func(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
		object := newObject()
		if err := mgr.GetClient().Get(ctx, request.NamespacedName, object); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
		var round int64
		if widget, ok := object.(*Widget); ok {
			round = widget.Spec.Round
		} else {
			round, _, _ = unstructured.NestedInt64(object.(*unstructured.Unstructured).Object, "spec", "round")
		}
		counts.note(request.String(), round)
		return ctrl.Result{}, nil
	}
	must(ctrl.NewControllerManagedBy(mgr).Named("widgets").For(newObject()).
		WithOptions(controller.Options{MaxConcurrentReconciles: 1}).Complete(reconcilerFunc(reconcile)))
	ctx, cancel := context.WithCancel(context.Background())
	go func() { must(mgr.Start(ctx)) }()

	<-done
	report(*first, started, counts.reconciles)
	// A line "N" on standard input starts the clock of round N.
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		round, err := strconv.ParseInt(strings.TrimSpace(input.Text()), 10, 64)
		must(err)
		started = time.Now()
		<-counts.begin(round)
		report(round, started, counts.reconciles)
	}
	cancel()
}

type reconcilerFunc func(context.Context, ctrl.Request) (ctrl.Result, error)

func (f reconcilerFunc) Reconcile(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
	return f(ctx, r)
}
