// Toxiproxy's server with two toxics of our own, for tests of what drivers do with connections.
package main

import (
	"flag"
	"os"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/toxics"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

func main() {
	host := flag.String("host", "127.0.0.1", "where to listen for what to do")
	port := flag.String("port", "8474", "its port")
	flag.Parse()
	toxics.Register("question", new(question))
	toxics.Register("answer", new(answer))
	logger := zerolog.New(os.Stdout).With().Timestamp().Logger()
	toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), logger).Listen(*host, *port)
}
