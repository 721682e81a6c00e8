package io.asynq.interop.crash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.asynq.RetryDelayPolicy;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * An application that writes each task it runs into the ledger.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class LedgerApplication {

	public static void main(String[] args) {
		SpringApplication.run(LedgerApplication.class, args);
	}

	@Bean
	Ledger ledger(@Value("${ledger}") Path file) {
		return new Ledger(file);
	}

	@Bean
	LedgerHandler ledgerHandler(Ledger ledger, @Value("${work:20ms}") Duration work) {
		return new LedgerHandler(ledger, work);
	}

	/**
	 * Retries lost tasks at once.
	 */
	@Bean
	RetryDelayPolicy retryDelayPolicy() {
		return (retried, error, task) -> Duration.ZERO;
	}

	record LedgerHandler(Ledger ledger, Duration work) {

		@TaskHandler("ledger")
		void handle(TaskContext context) {
			LockSupport.parkNanos(this.work.toNanos());
			this.ledger.add(context.taskId());
		}

	}

}
