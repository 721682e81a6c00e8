package io.asynq.reliability.worker;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

import io.asynq.RetryDelayPolicy;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.reliability.load.Rhythm;
import io.asynq.reliability.process.Starter;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.test.ledger.LedgerWriter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Ends with its parent. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WorkerApplication {

	static final Duration RETRY_DELAY = Duration.ofSeconds(1);

	public static void main(String[] args) {
		Starter.endWithIt();
		SpringApplication.run(WorkerApplication.class, args);
	}

	@Bean
	LedgerWriter ledgerWriter(@Value("${reliability.ledger}") Path ledger,
			@Value("${reliability.worker}") String worker) {
		return LedgerWriter.open(ledger, worker, Clock.systemUTC());
	}

	@Bean
	WorkHandler workHandler(LedgerWriter ledger, @Value("${reliability.hostile:false}") boolean hostile,
			ConfigurableApplicationContext application) {
		return new WorkHandler(ledger, hostile, application);
	}

	@Bean
	DigestAggregator digestAggregator(LedgerWriter ledger, @Value("${reliability.worker}") String worker,
			@Value("${reliability.aggregation:100ms}") Duration time) {
		return new DigestAggregator(ledger, worker, time);
	}

	@Bean
	PeriodicTasks periodicTasks(ObjectProvider<AsynqScheduler> scheduler) {
		return new PeriodicTasks(scheduler);
	}

	@Bean
	@ConditionalOnProperty(Rhythm.PROPERTY + Rhythm.BEAT)
	PeriodicTasks.Log schedulerLog(LedgerWriter ledger, @Value("${reliability.clock-offset:0ms}") Duration ahead) {
		return new PeriodicTasks.Log(ledger, ahead);
	}

	@Bean
	@ConditionalOnProperty("reliability.busy-connections")
	BusyConnections busyConnections(RedisConnectionFactory connections,
			@Value("${reliability.busy-connections:0}") int threads) {
		return new BusyConnections(connections, threads);
	}

	@Bean
	@ConditionalOnBooleanProperty("reliability.hostile")
	HostileCallbacks hostileCallbacks() {
		return new HostileCallbacks();
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "reliability.hostile", havingValue = false, matchIfMissing = true)
	RetryDelayPolicy retryDelayPolicy() {
		return (retried, error, task) -> RETRY_DELAY;
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "reliability.hostile", havingValue = false, matchIfMissing = true)
	TaskErrorHandler taskErrorHandler() {
		return (task, context, error) -> WorkHandler.told(error);
	}

	@Bean
	static TakenTasks takenTasks(ObjectProvider<LedgerWriter> ledger) {
		return new TakenTasks(ledger);
	}

	@Bean
	static SkewedClock skewedClock() {
		return new SkewedClock();
	}

	@EventListener(ApplicationReadyEvent.class)
	void tellThatItRuns() {
		System.out.println("ready");
	}

}
