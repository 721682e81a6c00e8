package io.asynq.benchmarks.rivals;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application that only enqueues. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class RqueueApplication {

}
